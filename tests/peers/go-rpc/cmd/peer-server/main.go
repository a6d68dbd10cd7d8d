// SPDX-License-Identifier: Apache-2.0
// peer-server is a Go net/rpc Agent for interoperability tests.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/rpc"
	"net/rpc/jsonrpc"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"gorpcpeer/proto"
	"gorpcpeer/store"
)

const usage = `peer-server: a Go net/rpc Agent to test against.

  peer-server -sock /path/agent.sock          gob over a Unix socket
  peer-server -tcp 127.0.0.1:0                gob over TCP
  peer-server -sock ... -codec json           net/rpc/jsonrpc codec
  peer-server -tcp 127.0.0.1:0 -http          CONNECT handshake on /_goRPC_

Prints one JSON line {"ready":"<address>"} once it listens, then one JSON line
per finished call. Ends when standard input closes (-stdin=false: never).

Methods, under every name given by -services: Chat, Stats, MemorySearch,
MemoryGet, MemoryStore, PulseAdd, PulseStatus.

Chat looks at the last message's Content:
  error:TEXT    fails with TEXT          empty          replies with no content
  sleep:MS      waits, then echoes       bytes:N        replies with N times 'x'
  call:NAME     replies with one ToolCall for NAME
  json          replies with the decoded arguments as JSON
  panic         panics in the handler (a Go server dies of it)
  anything else "echo: " + Content
If the last message carries ToolExecutionResults, the reply is
"results: " + their JSON.

Flags:
`

// Agent is the RPC receiver.
type Agent struct {
	mem           *store.Store
	uninitialized bool
	calls         int64
	messages      int64
	toolCalls     int64
	out           chan string
}

func (a *Agent) log(method string, args interface{}, err error) {
	atomic.AddInt64(&a.calls, 1)
	m := map[string]interface{}{"method": method, "args": args}
	if err != nil {
		m["error"] = err.Error()
	}
	b, e := json.Marshal(m)
	if e != nil {
		b = []byte(fmt.Sprintf(`{"method":%q,"note":"args not expressible as JSON"}`, method))
	}
	select {
	case a.out <- string(b):
	default:
	}
}

func (a *Agent) Chat(args proto.ChatArgs, reply *proto.ChatReply) (err error) {
	defer func() { a.log("Chat", args, err) }()
	if a.uninitialized {
		return errors.New("agent not initialized")
	}
	atomic.AddInt64(&a.messages, int64(len(args.Messages)))
	if len(args.Messages) == 0 {
		return nil
	}
	last := args.Messages[len(args.Messages)-1]
	if len(last.ToolExecutionResults) > 0 {
		b, e := json.Marshal(last.ToolExecutionResults)
		if e != nil {
			return e
		}
		reply.Content = "results: " + string(b)
		return nil
	}
	verb, rest, _ := strings.Cut(last.Content, ":")
	n, _ := strconv.Atoi(rest)
	switch verb {
	case "error":
		return errors.New(rest)
	case "sleep":
		time.Sleep(time.Duration(n) * time.Millisecond)
	case "empty":
		return nil
	case "bytes":
		reply.Content = strings.Repeat("x", n)
		return nil
	case "json":
		b, e := json.Marshal(args)
		reply.Content = string(b)
		return e
	case "panic":
		panic("handler panic requested")
	case "call":
		atomic.AddInt64(&a.toolCalls, 1)
		c := proto.ToolCall{ID: "call_1", Type: "function"}
		c.Function.Name = rest
		c.Function.Arguments = `{"path":"a.txt"}`
		reply.Tools = []proto.ToolCall{c}
		return nil
	}
	reply.Content = "echo: " + last.Content
	return nil
}

func (a *Agent) Stats(_ struct{}, reply *proto.StatsReply) (err error) {
	defer func() { a.log("Stats", nil, err) }()
	if a.uninitialized {
		return errors.New("storage not initialized")
	}
	reply.Stats = map[string]int{"sessions": 10, "messages": 150, "tools_calls": 45}
	return nil
}

func (a *Agent) memory(method string, args interface{}, reply *proto.ToolResultReply, f func() (string, error)) (err error) {
	defer func() { a.log(method, args, err) }()
	if a.uninitialized {
		return errors.New("memory store not initialized")
	}
	reply.Result, err = f()
	return err
}

func (a *Agent) MemorySearch(args proto.MemorySearchArgs, reply *proto.ToolResultReply) error {
	return a.memory("MemorySearch", args, reply, func() (string, error) {
		return a.mem.Search(args.Query, args.Category, args.Limit, args.MinScore)
	})
}

func (a *Agent) MemoryGet(args proto.MemoryGetArgs, reply *proto.ToolResultReply) error {
	return a.memory("MemoryGet", args, reply, func() (string, error) { return a.mem.Get(args.Path) })
}

func (a *Agent) MemoryStore(args proto.MemoryStoreArgs, reply *proto.ToolResultReply) error {
	return a.memory("MemoryStore", args, reply, func() (string, error) {
		return a.mem.Put(args.Text, args.Category, args.Importance)
	})
}

func (a *Agent) PulseAdd(args proto.PulseArgs, reply *proto.PulseReply) error {
	defer a.log("PulseAdd", args, nil)
	*reply = proto.PulseReply{Result: "Event added successfully", EventID: 1, Status: "pending"}
	return nil
}

func (a *Agent) PulseStatus(_ struct{}, reply *proto.PulseReply) error {
	defer a.log("PulseStatus", nil, nil)
	reply.Result = `{"enabled":false}`
	return nil
}

func main() {
	sock := flag.String("sock", "", "Unix socket path (removed first if it exists)")
	tcp := flag.String("tcp", "", "TCP address, for example 127.0.0.1:0")
	codec := flag.String("codec", "gob", "gob or json")
	overHTTP := flag.Bool("http", false, "wait for an HTTP CONNECT on /_goRPC_ first")
	services := flag.String("services", "RPCService,Agent", "names the methods are served under")
	uninit := flag.Bool("uninitialized", false, "answer every call with its 'not initialized' error")
	quiet := flag.Bool("quiet", false, "print no line per call")
	stdin := flag.Bool("stdin", true, "end when standard input closes")
	flag.Usage = func() { fmt.Fprint(flag.CommandLine.Output(), usage); flag.PrintDefaults() }
	flag.Parse()
	if (*sock == "") == (*tcp == "") {
		fmt.Fprintln(os.Stderr, "peer-server: give one of -sock and -tcp (see -h)")
		os.Exit(2)
	}
	proto.Register()

	a := &Agent{mem: &store.Store{}, uninitialized: *uninit, out: make(chan string, 1024)}
	srv := rpc.NewServer()
	for _, name := range strings.Split(*services, ",") {
		if err := srv.RegisterName(name, a); err != nil {
			fmt.Fprintln(os.Stderr, "peer-server:", err)
			os.Exit(1)
		}
	}

	network, addr := "unix", *sock
	if *tcp != "" {
		network, addr = "tcp", *tcp
	} else {
		os.Remove(*sock)
	}
	ln, err := net.Listen(network, addr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "peer-server:", err)
		os.Exit(1)
	}
	if *sock != "" {
		os.Chmod(*sock, 0o600)
	}
	out := bufio.NewWriter(os.Stdout)
	fmt.Fprintf(out, "{\"ready\":%q}\n", ln.Addr().String())
	out.Flush()
	go func() {
		for line := range a.out {
			if !*quiet {
				fmt.Fprintln(out, line)
				out.Flush()
			}
		}
	}()
	if *stdin {
		go func() {
			io.Copy(io.Discard, os.Stdin)
			ln.Close()
			os.Exit(0)
		}()
	}

	if *overHTTP {
		srv.HandleHTTP(rpc.DefaultRPCPath, rpc.DefaultDebugPath)
		fmt.Fprintln(os.Stderr, http.Serve(ln, nil))
		return
	}
	for {
		conn, err := ln.Accept()
		if err != nil {
			return
		}
		if *codec == "json" {
			go srv.ServeCodec(jsonrpc.NewServerCodec(conn))
		} else {
			go srv.ServeConn(conn)
		}
	}
}
