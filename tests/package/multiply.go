// SPDX-License-Identifier: Apache-2.0
// A client of examples/net_rpc_server.cpp with Go's own net/rpc, over gob: go run multiply.go ADDRESS
package main

import (
	"fmt"
	"log"
	"net/rpc"
	"os"
)

type Args struct{ A, B int }

func main() {
	client, err := rpc.Dial("tcp", os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	var product int
	if err := client.Call("Arith.Multiply", Args{6, 7}, &product); err != nil {
		log.Fatal(err)
	}
	fmt.Println("gob:", product)
}
