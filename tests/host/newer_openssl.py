# SPDX-License-Identifier: Apache-2.0
"""OpenSSL 3.6, which has ML-DSA, ML-KEM and signature schemes of providers in TLS by itself.

`python -m tests.host.newer_openssl` builds it, once, into the cache: minutes. Its source is that of
the Rust crate `openssl-src`, which Cargo fetches. Tests that need it are skipped where it is not.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from nttforge.cache import cached, find_cached, keep_log, tail
from nttforge.errors import NttforgeError
from nttforge.machine import processors

CRATE = "300.6.1"
_KIND = "openssl"
_CONFIGURED = ("no-docs", "no-tests", "no-module", "no-legacy")
_LIBRARIES = ("libcrypto.so", "libssl.so")
#: The crate has not what writes the linker's lists of symbols by version.
_SYMBOLS = r"""
my %given = @ARGV;
my (%of, $before);
open(my $list, "<", $given{"--ordinals"}) or die;
while (<$list>) {
  my ($name, $number, $version, $kind) = split;
  push @{$of{$version =~ tr/_/./r}}, $name if $kind =~ /^EXIST/;
}
for my $version (sort {version->parse("v$a") <=> version->parse("v$b")} keys %of) {
  print "OPENSSL_$version {\n  global:\n", map("    $_;\n", @{$of{$version}});
  print $before ? "} $before;\n" : "  local: *;\n};\n";
  $before = "OPENSSL_$version";
}
"""
_MANIFEST = f"""\
[package]
name = "fetched"
version = "0.0.0"
edition = "2021"
[lib]
path = "lib.rs"
[dependencies]
openssl-src = "={CRATE}"
"""


@dataclass(frozen=True)
class Openssl:
    """A build of OpenSSL: its program, headers and libraries in a folder."""

    folder: Path

    @property
    def program(self) -> str:
        """The command `openssl`."""
        return str(self.folder / "openssl")

    @property
    def links(self) -> Sequence[str]:
        """Words for a C compiler."""
        return (f"-I{self.folder / 'include'}", f"-L{self.folder}")

    def environment(self, **more: str) -> Mapping[str, str]:
        """Of its program, and of programs that link it; without a configuration, unless given."""
        own = {"LD_LIBRARY_PATH": str(self.folder), "OPENSSL_CONF": os.devnull}
        return {**os.environ, **own, **more}


def _key() -> str:
    return hashlib.sha256("\0".join((CRATE, *_CONFIGURED, _SYMBOLS)).encode()).hexdigest()[:32]


def built() -> Openssl | None:
    """What has been built, if it has."""
    folder = find_cached(_KIND, _key())
    return None if folder is None else Openssl(folder)


def _run(command: Sequence[str], folder: Path) -> None:
    done = subprocess.run(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode != 0:
        log = keep_log("openssl", f"$ {' '.join(command)}\n{done.stdout}")
        complaint = tail(log, 1, ("error", "Error", "***"))
        raise NttforgeError(command[0], complaint or f"exit code {done.returncode}", f"see {log}")


def _make(scratch: Path) -> None:
    fetched = scratch / "fetched"
    fetched.mkdir()
    (fetched / "Cargo.toml").write_text(_MANIFEST, "utf-8")
    (fetched / "lib.rs").touch()
    _run(["cargo", "vendor", "--quiet", "vendor"], fetched)
    source = fetched / "vendor" / "openssl-src" / "openssl"
    (source / "util" / "mkdef.pl").write_text(_SYMBOLS, "utf-8")
    _run(["perl", "Configure", *_CONFIGURED], source)
    _run(["make", f"-j{processors()}", "build_sw"], source)
    shutil.copy(source / "apps" / "openssl", scratch)
    shutil.copytree(source / "include", scratch / "include")
    for name in _LIBRARIES:
        shutil.copy(source / f"{name}.3", scratch)
        (scratch / name).symlink_to(f"{name}.3")
    shutil.rmtree(fetched)


def build() -> Openssl:
    """Build it, or take what has been built.

    Raises
    ------
    NttforgeError
        If there is no Cargo, or it does not compile.
    """
    found = built()
    if found is not None:
        return found
    if shutil.which("cargo") is None:
        raise NttforgeError("cargo", "is not on the PATH", "on Debian: apt install cargo")
    return Openssl(cached(_KIND, _key(), _make))


def main() -> int:
    """Build it and print which version it is."""
    try:
        made = build()
    except NttforgeError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    subprocess.run([made.program, "version"], env=made.environment(), check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
