// SPDX-License-Identifier: Apache-2.0
// gob-check is the Go side of tests of a gob codec.
//
//	gob-check TYPE...   reads gob values of these types from stdin, in this order and over again until the stream ends,
//	                    and prints each as one line of JSON; "?" skips a value
//	gob-check -emit     writes a stream of kinds that the RPC types do not use to stdout
//	gob-check -echo     reads Everything values and writes each back as gob
//	gob-check -random SEED COUNT
//	                    prints COUNT random streams, each as one line of JSON: the types and the bytes
//	gob-check -same SEED COUNT
//	                    reads those streams as another codec wrote them again, and fails at the first difference
package main

import (
	"bufio"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"reflect"
	"strconv"

	"gorpcpeer/proto"
)

// Request and Response are the headers of net/rpc.
type Request struct {
	ServiceMethod string
	Seq           uint64
}

type Response struct {
	ServiceMethod string
	Seq           uint64
	Error         string
}

type Inner struct {
	Name      string
	Arguments string
}

// Everything has a field of each kind that a declared message can have.
type Everything struct {
	On      bool
	Whole   int64
	Small   int16
	Natural uint64
	Real    float64
	Narrow  float32
	Text    string
	Blob    []byte
	Octets  []uint8
	Words   []string
	Counts  map[string]int64
	Maybe   *int64
	Holes   []int64
	Inner   Inner
	Colour  string
	Raw     interface{}
	Raws    []interface{}
}

// Opaque is bytes to a receiver that does not know it.
type Opaque struct{ hidden string }

func (o Opaque) GobEncode() ([]byte, error)   { return []byte(o.hidden), nil }
func (o *Opaque) GobDecode(from []byte) error { o.hidden = string(from); return nil }

// Binary travels as its bytes as well. (gob does not use MarshalText, though it reserves a field for it.)
type Binary struct{ hidden string }

func (b Binary) MarshalBinary() ([]byte, error)     { return []byte("<" + b.hidden + ">"), nil }
func (b *Binary) UnmarshalBinary(from []byte) error { b.hidden = string(from); return nil }

type Tree struct {
	Name string
	Kids []*Tree
}

// Rare has the kinds that the RPC types do not use. One entry in each map: Go's order is random.
type Rare struct {
	Triple   [3]int
	Nested   [2][2]float32
	Point    complex128
	ByNumber map[int]string
	ByBool   map[bool]int
	ByReal   map[float64]string
	ByArray  map[[2]int]bool
	Opaque   Opaque
	Binary   Binary
	Tree     Tree
	Values   []interface{}
	Nothings []struct{}
}

func types() map[string]reflect.Type {
	return map[string]reflect.Type{
		"Request": reflect.TypeOf(Request{}), "Response": reflect.TypeOf(Response{}), "Everything": reflect.TypeOf(Everything{}),
		"ChatArgs": reflect.TypeOf(proto.ChatArgs{}), "ChatReply": reflect.TypeOf(proto.ChatReply{}),
		"StatsReply": reflect.TypeOf(proto.StatsReply{}), "MemorySearchArgs": reflect.TypeOf(proto.MemorySearchArgs{}),
		"Nothing": reflect.TypeOf(struct{}{}), "string": reflect.TypeOf(""), "Rare": reflect.TypeOf(Rare{}),
	}
}

func check(names []string, in io.Reader) error {
	known := types()
	decoder := gob.NewDecoder(bufio.NewReader(in))
	for n := 0; ; n++ {
		name := names[n%len(names)]
		if name == "?" {
			if err := decoder.DecodeValue(reflect.Value{}); err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
			continue
		}
		t, ok := known[name]
		if !ok {
			return fmt.Errorf("unknown type %s", name)
		}
		value := reflect.New(t)
		if err := decoder.DecodeValue(value); err == io.EOF {
			return nil
		} else if err != nil {
			return fmt.Errorf("value %d, %s: %w", n, name, err)
		}
		line, err := json.Marshal(value.Interface())
		if err != nil {
			return err
		}
		fmt.Println(string(line))
	}
}

func emit(out io.Writer) error {
	gob.Register(Rare{})
	encoder := gob.NewEncoder(out)
	rare := Rare{
		Triple: [3]int{1, 0, -3}, Nested: [2][2]float32{{0.5, 1}, {0, -2}}, Point: complex(1.5, -2),
		ByNumber: map[int]string{-4: "x"}, ByBool: map[bool]int{true: 9}, ByReal: map[float64]string{0.25: "q"},
		ByArray: map[[2]int]bool{{1, 2}: true}, Opaque: Opaque{"secret"}, Binary: Binary{"t"},
		Tree: Tree{Name: "a", Kids: []*Tree{{Name: "b", Kids: []*Tree{{Name: "c"}}}, {}}},
		Values: []interface{}{int8(-8), int16(16), int32(-32), int64(64), uint8(8), uint16(16), uint32(32), uint64(1 << 63), uintptr(7), float32(0.5),
			complex64(complex(1, 2)), true, "text", []byte{1, 2}, []int8{-1, 1}, []bool{true, false}, []string{"", "a"}, []float32{0.5},
			map[string]interface{}{"k": []interface{}{nil, 1, map[string]interface{}{}}}, proto.Custom{Path: "p", Lines: 1},
			Rare{Triple: [3]int{7, 8, 9}, Values: []interface{}{proto.Custom{Ok: true}}}, nil},
		Nothings: []struct{}{{}, {}},
	}
	for _, value := range []interface{}{rare, "top", 42, uint(43), -0.5, true, []byte("raw"), []string{"a", "b"}, map[string]int{"n": 1}, [2]bool{true, false}, rare} {
		if err := encoder.Encode(value); err != nil {
			return err
		}
	}
	return nil
}

func echo(in io.Reader, out io.Writer) error {
	decoder, encoder := gob.NewDecoder(bufio.NewReader(in)), gob.NewEncoder(out)
	for {
		var value Everything
		if err := decoder.Decode(&value); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if err := encoder.Encode(value); err != nil {
			return err
		}
	}
}

func main() {
	proto.Register()
	arguments := os.Args[1:]
	var err error
	switch {
	case len(arguments) == 0:
		err = fmt.Errorf("usage: gob-check TYPE... | -emit | -echo | -random SEED COUNT | -same SEED COUNT")
	case arguments[0] == "-emit":
		err = emit(os.Stdout)
	case arguments[0] == "-echo":
		err = echo(os.Stdin, os.Stdout)
	case len(arguments) == 3 && (arguments[0] == "-random" || arguments[0] == "-same"):
		seed, _ := strconv.ParseInt(arguments[1], 10, 64)
		count, _ := strconv.ParseInt(arguments[2], 10, 64)
		if arguments[0] == "-random" {
			err = random(seed, count)
		} else {
			err = same(seed, count, os.Stdin)
		}
	default:
		err = check(arguments, os.Stdin)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gob-check:", err)
		os.Exit(1)
	}
}
