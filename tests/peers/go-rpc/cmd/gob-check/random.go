// SPDX-License-Identifier: Apache-2.0
package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"io"
	"math/rand"
	"os"
	"reflect"
	"strings"
)

// Random gob streams, for a comparison of two codecs. A seed determines types and values, so that the comparing run generates them again
// and no file of expected values exists. NaN, infinities and text outside UTF-8 are left out: JSON has no form for them.

const (
	valuesPerStream = 12
	registeredTypes = 40      // enough for Go to split one value over many messages
	exactInJSON     = 1 << 50 // integers of interface values stay within a double
)

type generator struct {
	*rand.Rand
	registered []reflect.Type // types of interface values, under the names r0, r1, ...
}

// Every generator of this process registers its types again; gob refuses a second name for one type.
var names = map[reflect.Type]bool{}

func newGenerator(seed int64) *generator {
	g := &generator{Rand: rand.New(rand.NewSource(seed))}
	for len(g.registered) < registeredTypes {
		t := g.structure(2, true)
		if !names[t] {
			gob.RegisterName(fmt.Sprintf("s%d.r%d", seed, len(names)), reflect.Zero(t).Interface())
			names[t] = true
		}
		g.registered = append(g.registered, t)
	}
	return g
}

var scalars = []reflect.Type{
	reflect.TypeOf(false), reflect.TypeOf(0), reflect.TypeOf(int8(0)), reflect.TypeOf(int64(0)), reflect.TypeOf(uint(0)), reflect.TypeOf(uint16(0)),
	reflect.TypeOf(0.0), reflect.TypeOf(float32(0)), reflect.TypeOf(""), reflect.TypeOf([]byte(nil)), reflect.TypeOf(complex128(0)),
}
var keys = []reflect.Type{reflect.TypeOf(""), reflect.TypeOf(0), reflect.TypeOf(uint16(0)), reflect.TypeOf(false)}
var rareKeys = []reflect.Type{reflect.TypeOf(0.0), reflect.TypeOf([2]int8{}), reflect.TypeOf(struct{ A string }{})}
var anything = reflect.TypeOf((*interface{})(nil)).Elem()

// plain: the type of an interface value, which JSON has to carry without a declaration.
func (g *generator) typ(depth int, plain bool) reflect.Type {
	if depth == 0 {
		if g.Intn(4) == 0 {
			return anything
		}
		return scalars[g.Intn(len(scalars))]
	}
	switch g.Intn(7) {
	case 0:
		return reflect.SliceOf(g.typ(depth-1, plain))
	case 1:
		return reflect.ArrayOf(g.Intn(4), g.typ(depth-1, plain))
	case 2:
		from := keys
		if !plain && g.Intn(3) == 0 {
			from = rareKeys
		}
		return reflect.MapOf(from[g.Intn(len(from))], g.typ(depth-1, plain))
	case 3, 4:
		return g.structure(depth-1, plain)
	}
	return g.typ(0, plain)
}

func (g *generator) structure(depth int, plain bool) reflect.Type {
	fields := make([]reflect.StructField, 1+g.Intn(6))
	for i := range fields {
		t := g.typ(depth, plain)
		if g.Intn(6) == 0 && t.Kind() != reflect.Interface {
			t = reflect.PtrTo(t)
		}
		fields[i] = reflect.StructField{Name: string(rune('A' + i)), Type: t}
	}
	return reflect.StructOf(fields)
}

func (g *generator) count() int { return []int{0, 1, 2, 3, 3, 40}[g.Intn(6)] }

func (g *generator) text() string {
	letters := []rune("ab\"\\\n\u0000é漢\U0001f642\u2028")
	text := make([]rune, g.count())
	for i := range text {
		text[i] = letters[g.Intn(len(letters))]
	}
	return string(text)
}

func (g *generator) value(t reflect.Type, depth int, plain bool) reflect.Value {
	v := reflect.New(t).Elem()
	if g.Intn(8) == 0 {
		return v
	}
	switch t.Kind() {
	case reflect.Bool:
		v.SetBool(g.Intn(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int64:
		whole := int64(g.Uint64()) >> g.Intn(64)
		if plain {
			whole %= exactInJSON
		}
		v.SetInt(whole >> (64 - t.Bits()))
	case reflect.Uint, reflect.Uint16, reflect.Uint8:
		whole := g.Uint64() >> g.Intn(64)
		if plain {
			whole %= exactInJSON
		}
		v.SetUint(whole >> (64 - t.Bits()))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(float32(g.NormFloat64())))
	case reflect.Complex128:
		v.SetComplex(complex(float64(g.Intn(9)), g.NormFloat64()))
	case reflect.String:
		v.SetString(g.text())
	case reflect.Ptr:
		v.Set(reflect.New(t.Elem()))
		v.Elem().Set(g.value(t.Elem(), depth, plain))
	case reflect.Struct:
		for i := 0; i < t.NumField(); i++ {
			v.Field(i).Set(g.value(t.Field(i).Type, depth, plain))
		}
	case reflect.Array:
		for i := 0; i < t.Len(); i++ {
			v.Index(i).Set(g.value(t.Elem(), depth, plain))
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(t, g.count()>>(3-depth%4), 64))
		for i := 0; i < v.Len(); i++ {
			v.Index(i).Set(g.value(t.Elem(), depth, plain))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(t))
		for n := g.count() >> (3 - depth%4); n > 0; n-- {
			v.SetMapIndex(g.value(t.Key(), depth, plain), g.value(t.Elem(), depth, plain))
		}
	case reflect.Interface:
		if depth == 0 {
			v.Set(reflect.ValueOf(g.text()))
		} else {
			v.Set(g.value(g.registered[g.Intn(len(g.registered))], depth-1, true))
		}
	}
	return v
}

// The type as a person writes it (codec/gob/described.h): without pointers.
func notation(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Ptr:
		return notation(t.Elem())
	case reflect.Slice:
		return "[]" + notation(t.Elem())
	case reflect.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), notation(t.Elem()))
	case reflect.Map:
		return fmt.Sprintf("map[%s]%s", notation(t.Key()), notation(t.Elem()))
	case reflect.Interface:
		return "any"
	case reflect.Struct:
		fields := make([]string, t.NumField())
		for i := range fields {
			fields[i] = t.Field(i).Name + " " + notation(t.Field(i).Type)
		}
		return "struct { " + strings.Join(fields, "; ") + " }"
	}
	return t.Kind().String()
}

// A form in which both sides compare equal: no difference of nil and empty, and within interface values none that JSON cannot express.
func normal(v reflect.Value, plain bool) interface{} {
	switch v.Kind() {
	case reflect.Invalid:
		return nil
	case reflect.Interface:
		return normal(v.Elem(), true)
	case reflect.Ptr:
		if v.IsNil() && plain {
			return nil
		}
		if v.IsNil() {
			return normal(reflect.Zero(v.Type().Elem()), plain)
		}
		return normal(v.Elem(), plain)
	case reflect.Bool:
		return v.Bool()
	case reflect.Int, reflect.Int8, reflect.Int64:
		if plain {
			return float64(v.Int())
		}
		return fmt.Sprint(v.Int())
	case reflect.Uint, reflect.Uint16, reflect.Uint8:
		if plain {
			return float64(v.Uint())
		}
		return fmt.Sprint(v.Uint())
	case reflect.Float32, reflect.Float64:
		return v.Float()
	case reflect.Complex128:
		return without(map[string]interface{}{"re": real(v.Complex()), "im": imag(v.Complex())})
	case reflect.String:
		return v.String()
	case reflect.Struct:
		fields := map[string]interface{}{}
		for i := 0; i < v.NumField(); i++ {
			fields[v.Type().Field(i).Name] = normal(v.Field(i), plain)
		}
		return without(fields)
	case reflect.Map:
		members := map[string]interface{}{}
		for _, key := range v.MapKeys() {
			name := fmt.Sprint(key.Interface())
			members[name] = normal(v.MapIndex(key), plain)
		}
		if plain {
			return without(members)
		}
		return members
	}
	if v.Type().Elem().Kind() == reflect.Uint8 && v.Kind() == reflect.Slice {
		return base64.StdEncoding.EncodeToString(v.Bytes())
	}
	elements := []interface{}{}
	for i := 0; i < v.Len(); i++ {
		elements = append(elements, normal(v.Index(i), plain))
	}
	return elements
}

// gob leaves out a field that is zero.
func without(members map[string]interface{}) map[string]interface{} {
	for name, value := range members {
		text, _ := json.Marshal(value)
		switch string(text) {
		case "null", "false", "0", `"0"`, `""`, "[]", "{}":
			delete(members, name)
		}
	}
	return members
}

// The first place where two normal forms differ.
func difference(place string, want, have interface{}) string {
	wanted, isMap := want.(map[string]interface{})
	got, bothMaps := have.(map[string]interface{})
	if isMap && bothMaps {
		for name := range got {
			if _, known := wanted[name]; !known {
				return fmt.Sprintf("%s has an additional %q", place, name)
			}
		}
		for name, value := range wanted {
			if !reflect.DeepEqual(value, got[name]) {
				return difference(place+"."+name, value, got[name])
			}
		}
	}
	list, isList := want.([]interface{})
	other, bothLists := have.([]interface{})
	if isList && bothLists && len(list) == len(other) {
		for i := range list {
			if !reflect.DeepEqual(list[i], other[i]) {
				return difference(fmt.Sprintf("%s[%d]", place, i), list[i], other[i])
			}
		}
	}
	return fmt.Sprintf("%s is %#v, should be %#v", place, have, want)
}

type stream struct {
	Types []string `json:"types,omitempty"`
	Gob   []byte   `json:"gob"`
}

func (g *generator) next() reflect.Value {
	t := g.typ(3, false)
	for t.Kind() == reflect.Interface {
		t = g.typ(3, false)
	}
	return g.value(t, 3, false)
}

// One line of JSON for each seed: the types in Go's notation, and the values as Go sends them.
func random(first, count int64) error {
	out := json.NewEncoder(os.Stdout)
	for seed := first; seed < first+count; seed++ {
		g := newGenerator(seed)
		var sent bytes.Buffer
		var line stream
		encoder := gob.NewEncoder(&sent)
		for n := 0; n < valuesPerStream; n++ {
			value := g.next()
			if err := encoder.EncodeValue(value); err != nil {
				return fmt.Errorf("seed %d, value %d, %s: %w", seed, n, value.Type(), err)
			}
			line.Types = append(line.Types, notation(value.Type()))
		}
		line.Gob = sent.Bytes()
		if err := out.Encode(line); err != nil {
			return err
		}
	}
	return nil
}

// Reads what another codec made of the streams of `random`, and compares each value.
func same(first, count int64, in io.Reader) error {
	lines := json.NewDecoder(bufio.NewReader(in))
	for seed := first; seed < first+count; seed++ {
		var line stream
		if err := lines.Decode(&line); err != nil {
			return fmt.Errorf("seed %d: %w", seed, err)
		}
		g := newGenerator(seed)
		decoder := gob.NewDecoder(bytes.NewReader(line.Gob))
		for n := 0; n < valuesPerStream; n++ {
			value := g.next()
			got := reflect.New(value.Type())
			if err := decoder.DecodeValue(got); err != nil {
				return fmt.Errorf("seed %d, value %d, %s: %w", seed, n, notation(value.Type()), err)
			}
			want, have := normal(value, false), normal(got.Elem(), false)
			if !reflect.DeepEqual(want, have) {
				return fmt.Errorf("seed %d, value %d, %s: %s", seed, n, notation(value.Type()), difference("$", want, have))
			}
		}
	}
	return nil
}
