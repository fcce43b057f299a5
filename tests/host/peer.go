// SPDX-License-Identifier: Apache-2.0
//
// The other side of TLS handshakes: Go's standard library, which knows X25519MLKEM768 by itself and
// is given no other group. A line of JSON for each connection.
//
//	peer client ADDRESS COUNT WORKERS         sends lines, wants each back reversed (s_server -rev)
//	peer server CERTIFICATE KEY COUNT         prints its address; sends back what it gets
package main

import (
	"bufio"
	"crypto/rand"
	"crypto/tls"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"strconv"
	"sync"
	"time"
)

type connection struct {
	Curve string `json:"curve"`
	Bytes int    `json:"bytes"`
	Error string `json:"error"`
}

const patience = 60 * time.Second

var (
	guard  sync.Mutex
	config = &tls.Config{
		CurvePreferences:       []tls.CurveID{tls.X25519MLKEM768},
		MinVersion:             tls.VersionTLS13,
		InsecureSkipVerify:     true, // the certificate is made for the run, and is not looked at
		SessionTicketsDisabled: true,
	}
)

func report(link *tls.Conn, bytes int, err error) {
	seen := connection{Bytes: bytes}
	if state := link.ConnectionState(); state.HandshakeComplete {
		seen.Curve = state.CurveID.String()
	}
	if err != nil {
		seen.Error = err.Error()
	}
	guard.Lock()
	defer guard.Unlock()
	_ = json.NewEncoder(os.Stdout).Encode(seen)
}

func reversed(text string) string {
	runes := []byte(text)
	for i, j := 0, len(runes)-1; i < j; i, j = i+1, j-1 {
		runes[i], runes[j] = runes[j], runes[i]
	}
	return string(runes)
}

func ask(address string) {
	raw, err := net.DialTimeout("tcp", address, patience)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer raw.Close()
	_ = raw.SetDeadline(time.Now().Add(patience))
	link, bytes := tls.Client(raw, config), make([]byte, 32)
	_, _ = rand.Read(bytes)
	line := hex.EncodeToString(bytes)
	if err = link.Handshake(); err == nil {
		_, err = link.Write([]byte(line + "\n"))
	}
	answer := ""
	if err == nil {
		answer, err = bufio.NewReader(link).ReadString('\n')
	}
	if err == nil && answer != reversed(line)+"\n" {
		err = fmt.Errorf("%q came back for %q", answer, line)
	}
	report(link, len(answer), err)
	_ = link.Close()
}

func client(address string, count, workers int) {
	work := make(chan bool, count)
	for i := 0; i < count; i++ {
		work <- true
	}
	close(work)
	var all sync.WaitGroup
	for i := 0; i < workers; i++ {
		all.Add(1)
		go func() {
			defer all.Done()
			for range work {
				ask(address)
			}
		}()
	}
	all.Wait()
}

func answer(link *tls.Conn) {
	defer link.Close()
	_ = link.SetDeadline(time.Now().Add(patience))
	err := link.Handshake()
	line := ""
	if err == nil {
		line, err = bufio.NewReader(link).ReadString('\n')
	}
	if err == nil {
		_, err = link.Write([]byte(line))
	}
	report(link, len(line), err)
}

func server(certificate, key string, count int) error {
	pair, err := tls.LoadX509KeyPair(certificate, key)
	if err != nil {
		return err
	}
	config.Certificates = []tls.Certificate{pair}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(listener.Addr())
	var all sync.WaitGroup
	for i := 0; i < count; i++ {
		raw, err := listener.Accept()
		if err != nil {
			return err
		}
		all.Add(1)
		go func() {
			defer all.Done()
			answer(tls.Server(raw, config))
		}()
	}
	all.Wait()
	return nil
}

func main() {
	words := os.Args[1:]
	if len(words) == 4 && words[0] == "client" {
		count, first := strconv.Atoi(words[2])
		workers, second := strconv.Atoi(words[3])
		if first == nil && second == nil {
			client(words[1], count, workers)
			return
		}
	}
	if len(words) == 4 && words[0] == "server" {
		count, err := strconv.Atoi(words[3])
		if err == nil {
			err = server(words[1], words[2], count)
		}
		if err == nil {
			return
		}
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(2)
}
