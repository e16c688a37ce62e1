package compat

import (
	"fmt"
	"io/fs"
	"reflect"
	"slices"

	"appliance/assets"
	"appliance/svc/maps"
	"appliance/svc/surface"
	"appliance/world"
	"appliance/world/dataset"
	"appliance/world/stream"
)

// PresentationContracts lists the contracts of this package, of the surface service and
// of the stream.
var PresentationContracts = []world.ContractType{
	{Contract: dataset.Contract{Name: "service.field.area", Version: 1}, Type: reflect.TypeFor[FieldArea]()},
	{Contract: dataset.Contract{Name: "service.find.response", Version: 1}, Type: reflect.TypeFor[FindResponse]()},
	{Contract: dataset.Contract{Name: "service.map.runtime", Version: 1}, Type: reflect.TypeFor[maps.Runtime]()},
	{Contract: dataset.Contract{Name: "service.field.runtime", Version: 2}, Type: reflect.TypeFor[FieldRuntime]()},
	{Contract: dataset.Contract{Name: "service.home.runtime", Version: 2}, Type: reflect.TypeFor[Session]()},
	{Contract: dataset.Contract{Name: "service.home.runtime.translated", Version: 2}, Type: reflect.TypeFor[Translated]()},
	{Contract: dataset.Contract{Name: "service.surface.runtime", Version: 1}, Type: reflect.TypeFor[SurfaceRuntime]()},
	{Contract: dataset.Contract{Name: "service.surface.surface", Version: 1}, Type: reflect.TypeFor[Surface]()},
	{Contract: dataset.Contract{Name: "service.surface.stack", Version: 1}, Type: reflect.TypeFor[Stack]()},
	{Contract: dataset.Contract{Name: "service.surface.viewport", Version: 1}, Type: reflect.TypeFor[surface.Viewport]()},
	{Contract: dataset.Contract{Name: "service.surface.arranged", Version: 1}, Type: reflect.TypeFor[CommandResponse]()},
	{Contract: dataset.Contract{Name: "service.surface.workspace", Version: 1}, Type: reflect.TypeFor[surface.Runtime]()},
	{Contract: dataset.Contract{Name: "service.surface.detail", Version: 1}, Type: reflect.TypeFor[surface.Detail]()},
	{Contract: dataset.Contract{Name: "service.world.stream_event", Version: 1}, Type: reflect.TypeFor[stream.Event]()},
}

// Contracts lists all published contracts.
var Contracts = slices.Concat(world.Contracts, world.ProviderContracts, PresentationContracts)

// Schema returns the JSON Schema (draft 2020-12) of a contract.
func Schema(name, version string) ([]byte, bool) {
	for _, c := range Contracts {
		if c.Name == name && fmt.Sprint(c.Version) == version {
			schema, err := fs.ReadFile(assets.Files, c.File())
			return schema, err == nil
		}
	}
	return nil, false
}
