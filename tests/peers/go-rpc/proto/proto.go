// SPDX-License-Identifier: Apache-2.0
// Package proto holds the argument and reply types of the Gateway <-> Agent
// RPC protocol. Field names and kinds are what travels on the wire; Go type
// names travel too, but no decoder depends on them.
package proto

import "encoding/gob"

type Message struct {
	Role                 string
	Content              string
	ToolCalls            []ToolCall
	ToolExecutionResults []ToolResult
}

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

// Tool is the shape in real use; the protocol text only names it.
type Tool struct {
	Type     string
	Function ToolFunction
}

type ToolFunction struct {
	Name        string
	Description string
	Parameters  map[string]interface{}
}

type ChatArgs struct {
	Messages []Message
	Tools    []Tool
}

type ChatReply struct {
	Content string
	Tools   []ToolCall
}

// StatsReply is a map on the wire, so new counters need no new type.
type StatsReply struct {
	Stats map[string]int
}

// TaggedStats and PlainStats read the three numbers of the protocol text: one under its JSON names, one under Go's own.
type TaggedStats struct {
	Sessions   int `json:"sessions"`
	Messages   int `json:"messages"`
	ToolsCalls int `json:"tools_calls"`
}

type PlainStats struct {
	Sessions   int
	Messages   int
	ToolsCalls int
}

type MemorySearchArgs struct {
	Query    string
	Category string
	Limit    int
	MinScore float64
}

type MemoryGetArgs struct {
	Path string
}

type MemoryStoreArgs struct {
	Text       string
	Category   string
	Importance float64
}

// ToolResultReply carries a JSON document as text.
type ToolResultReply struct {
	Result string
}

type PulseArgs struct {
	Action   string
	Title    string
	Content  string
	Priority int
	Channel  string
	Limit    int
}

type PulseReply struct {
	Result  string
	EventID int64
	Status  string
}

// Custom is a registered struct used as the value of an interface{} field.
type Custom struct {
	Path  string
	Lines int
	Ok    bool
}

// Secret is never registered: a sender that puts it into an interface{} field
// fails before anything of the value reaches the socket.
type Secret struct{ A int }

// Unshared is registered by the client only, under a name the server lacks.
type Unshared struct{ A int }

// Register makes the concrete types known that interface{} fields may hold.
// Go registers the basic kinds and slices of them by itself.
func Register() {
	gob.Register(map[string]interface{}{})
	gob.Register([]interface{}{})
	gob.RegisterName("peer.Custom", Custom{})
}
