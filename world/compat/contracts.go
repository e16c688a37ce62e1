package compat

import (
	"fmt"
	"io/fs"
	"reflect"
	"slices"

	"appliance/assets"
	"appliance/svc/surface"
	"appliance/world"
	"appliance/world/dataset"
)

// Own lists the contracts of this package and of the surface service.
var Own = []world.ContractType{
	{Contract: dataset.Contract{Name: "service.field.runtime", Version: 2}, Type: reflect.TypeFor[FieldRuntime]()},
	{Contract: dataset.Contract{Name: "service.home.runtime", Version: 2}, Type: reflect.TypeFor[Session]()},
	{Contract: dataset.Contract{Name: "service.home.runtime.translated", Version: 2}, Type: reflect.TypeFor[Translated]()},
	{Contract: dataset.Contract{Name: "service.surface.runtime", Version: 1}, Type: reflect.TypeFor[SurfaceRuntime]()},
	{Contract: dataset.Contract{Name: "service.surface.surface", Version: 1}, Type: reflect.TypeFor[Surface]()},
	{Contract: dataset.Contract{Name: "service.surface.stack", Version: 1}, Type: reflect.TypeFor[Stack]()},
	{Contract: dataset.Contract{Name: "service.surface.viewport", Version: 1}, Type: reflect.TypeFor[surface.Viewport]()},
	{Contract: dataset.Contract{Name: "service.surface.arranged", Version: 1}, Type: reflect.TypeFor[Arranged]()},
	{Contract: dataset.Contract{Name: "service.surface.workspace", Version: 1}, Type: reflect.TypeFor[surface.Runtime]()},
	{Contract: dataset.Contract{Name: "service.surface.detail", Version: 1}, Type: reflect.TypeFor[surface.Detail]()},
}

// Contracts lists all published contracts.
var Contracts = slices.Concat(world.Contracts, Own)

// Schema returns the JSON Schema (draft 2020-12) of a contract.
func Schema(name, version string) ([]byte, bool) {
	for _, c := range Contracts {
		if c.Name == name && fmt.Sprint(c.Version) == version {
			text, err := fs.ReadFile(assets.Files, c.File())
			return text, err == nil
		}
	}
	return nil, false
}
