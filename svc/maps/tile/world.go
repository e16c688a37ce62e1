package tile

import (
	_ "embed"
	"encoding/binary"
	"sync"

	"appliance/svc/maps/mapdata"
)

// World data: land and countries of Natural Earth (naturalearthdata.com), which is in
// the public domain, from the npm package world-atlas 2.0.2.
//
//go:generate go test -run TestWorldFile -update-world
//go:embed world.bin
var worldFile []byte

// worldTiles returns the data of the embedded world by tile.
var worldTiles = sync.OnceValue(func() map[ID][]byte {
	tiles := make(map[ID][]byte)
	for rest := worldFile; len(rest) > 0; {
		size, n := binary.Uvarint(rest)
		data := rest[n : n+int(size)]
		rest = rest[n+int(size):]
		h := must(readHeader(data))
		tiles[h.id] = data
	}
	return tiles
})

// countries returns the names of countries.
var countries = sync.OnceValue(func() (list []feature) {
	h := must(readHeader(worldTiles()[ID{}]))
	err := h.each(h.labels, func(f feature, part []point) {
		f.parts = [][]point{{part[0]}}
		list = append(list, f)
	})
	must(list, err)
	return list
})

// addWorld adds the land, borders and names of the embedded world.
func (p *painter) addWorld() error {
	l := worldLevels[0]
	if p.id.Z > l.maxZoom {
		l = worldLevels[1]
	}
	v := p.view(l)
	for id := range tilesOf(p.id, l) {
		data, ok := worldTiles()[id]
		if !ok {
			continue // the sea
		}
		h, err := readHeader(data)
		if err != nil {
			return err
		}
		err = h.each(h.shapes, func(f feature, part []point) {
			switch {
			case !boundsOf([][]point{part}).overlaps(v.visible):
			case f.class == mapdata.Land:
				p.addRing(&p.world, part, v)
			default:
				p.addLine(&p.borders, part, v)
			}
		})
		if err != nil {
			return err
		}
	}
	first := p.view(worldLevels[0])
	for _, f := range countries() {
		p.addLabel(f, f.parts[0][0], worldLevels[0], first)
	}
	return nil
}

// tilesOf returns the tiles of a level that cover id.
func tilesOf(id ID, l level) func(yield func(ID) bool) {
	return func(yield func(ID) bool) {
		if shift := id.Z - l.z; shift >= 0 {
			yield(ID{l.z, id.X >> shift, id.Y >> shift})
			return
		}
		n := 1 << (l.z - id.Z)
		for y := range n {
			for x := range n {
				if !yield(ID{l.z, id.X*n + x, id.Y*n + y}) {
					return
				}
			}
		}
	}
}
