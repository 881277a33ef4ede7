// RUN: ks-opt %s --ks-normalize --split-input-file --verify-diagnostics

// expected-error @+1 {{argument 1 has a wrong ks.name: 'x' is the name of argument 0 too}}
func.func @main(%x: tensor<4xf32> {ks.name = "x"}, %y: tensor<4xf32> {ks.name = "x"}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{argument 0 has a wrong ks.name: it is no name}}
func.func @main(%x: tensor<4xf32> {ks.name = 3}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{argument 0 has a wrong ks.kind: it is input, parameter, buffer, constant or random, not "weight"}}
func.func @main(%x: tensor<4xf32> {ks.kind = "weight"}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{has a wrong ks.mutations: it is array<i64: result, argument, ...> in pairs}}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> attributes {ks.mutations = array<i64: 0>} {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{has a wrong ks.mutations: result 0 for argument 1, and the function has 1 results and 1 arguments}}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> attributes {ks.mutations = array<i64: 0, 1>} {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{has a wrong ks.mutations: result 1 for argument 0, one of which is named twice}}
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {ks.mutations = array<i64: 0, 0, 1, 0>} {
  return %x, %x : tensor<4xf32>, tensor<4xf32>
}

// -----

// expected-error @+1 {{has a wrong ks.mutations: result 0 of type 'tensor<4xf32>' for argument 1 of type 'tensor<5xf32>'}}
func.func @main(%x: tensor<4xf32>, %y: tensor<5xf32>) -> tensor<4xf32> attributes {ks.mutations = array<i64: 0, 1>} {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{has a wrong ks.results: it is a list of dictionaries}}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> attributes {ks.results = 3} {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{has a wrong ks.results: entry 0 names neither one result nor one argument}}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> attributes {ks.results = [{}]} {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{has a wrong ks.results: entry 1 names no result: the function has 1}}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> attributes {ks.results = [{result = 0}, {result = 1}]} {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{has a wrong ks.results: entry 0 names no argument: the function has 1}}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> attributes {ks.results = [{argument = -1}]} {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{has a wrong ks.results: entry 0 has the unknown field 'stride'}}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> attributes {ks.results = [{result = 0, stride = 1}]} {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{has a wrong ks.results: entry 0 is no view: sizes and strides are array<i64>, offset is an integer}}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> attributes {ks.results = [{result = 0, sizes = array<i64: 2>}]} {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{has a wrong ks.results: entry 0 is no view: its view lies outside of 4xf32}}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> attributes {ks.results = [{result = 0, sizes = array<i64: 2>, strides = array<i64: 4>, offset = 0}]} {
  return %x : tensor<4xf32>
}

// -----

module attributes {ks.python = 3} {
// expected-error @+1 {{stands in a module whose ks.python is no string}}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
}
