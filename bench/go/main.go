// SPDX-License-Identifier: Apache-2.0
// The peer of bench/net_rpc.cpp: the same Chat with Go's own net/rpc and encoding/gob, with the types of the protocol as a
// Go program declares them.
//
//	netrpc server SOCKET
//	netrpc client SOCKET CALLERS SECONDS
//
// The client prints what bench/measure.h describes.
package main

import (
	"encoding/gob"
	"fmt"
	"log"
	"net"
	"net/rpc"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

type ToolCall struct {
	ID       string
	Type     string
	Function struct {
		Name      string
		Arguments string
	}
}

type ToolResult struct {
	ID     string
	Type   string
	Result interface{}
}

type Message struct {
	Role                 string
	Content              string
	ToolCalls            []ToolCall
	ToolExecutionResults []ToolResult
}

type ToolFunction struct {
	Name        string
	Description string
	Parameters  map[string]interface{}
}

type Tool struct {
	Type     string
	Function ToolFunction
}

type ChatArgs struct {
	Messages []Message
	Tools    []Tool
}

type ChatReply struct {
	Content string
	Tools   []ToolCall
}

type Service struct{}

func (Service) Chat(args *ChatArgs, reply *ChatReply) error {
	reply.Content = args.Messages[len(args.Messages)-1].Content
	return nil
}

const warmUp = 200 * time.Millisecond

func serve(path string) {
	server := rpc.NewServer()
	if err := server.RegisterName("RPCService", Service{}); err != nil {
		log.Fatal(err)
	}
	listener, err := net.Listen("unix", path)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("ready")
	server.Accept(listener)
}

func cpuSeconds() float64 {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		log.Fatal(err)
	}
	return float64(used.Utime.Nano()+used.Stime.Nano()) * 1e-9
}

func call(path string, callers int, seconds float64) {
	client, err := rpc.Dial("unix", path)
	if err != nil {
		log.Fatal(err)
	}
	begin := time.Now().Add(warmUp)
	end := begin.Add(time.Duration(seconds * float64(time.Second)))
	var wait sync.WaitGroup
	measured := make([]uint64, callers)
	total := make([]uint64, callers)
	for i := 0; i < callers; i++ {
		wait.Add(1)
		go func(i int) {
			defer wait.Done()
			args := ChatArgs{Messages: []Message{{Role: "user", Content: strings.Repeat("x", 200)}}}
			for now := time.Now(); now.Before(end); now = time.Now() {
				var reply ChatReply
				if err := client.Call("RPCService.Chat", &args, &reply); err != nil {
					log.Fatal(err)
				}
				if len(reply.Content) != 200 {
					log.Fatal("a wrong answer")
				}
				total[i]++
				if now.After(begin) {
					measured[i]++
				}
			}
		}(i)
	}
	wait.Wait()
	var sum, all uint64
	for i := range measured {
		sum += measured[i]
		all += total[i]
	}
	fmt.Printf("%.0f %.4f %d\n", float64(sum)/time.Since(begin).Seconds(), cpuSeconds()*1e6/float64(all), all)
}

func main() {
	gob.Register(map[string]interface{}{})
	gob.Register([]interface{}{})
	if len(os.Args) == 3 && os.Args[1] == "server" {
		serve(os.Args[2])
		return
	}
	if len(os.Args) == 5 && os.Args[1] == "client" {
		callers, err1 := strconv.Atoi(os.Args[3])
		seconds, err2 := strconv.ParseFloat(os.Args[4], 64)
		if err1 == nil && err2 == nil && callers > 0 {
			call(os.Args[2], callers, seconds)
			return
		}
	}
	fmt.Fprintln(os.Stderr, "usage: netrpc server SOCKET | netrpc client SOCKET CALLERS SECONDS")
	os.Exit(2)
}
