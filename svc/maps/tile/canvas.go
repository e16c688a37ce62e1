package tile

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"image"
	imagecolor "image/color"
	"image/draw"
	"image/png"
	"slices"
	"sync"

	"golang.org/x/image/vector"
)

// canvas is a square drawing. Its memory is reused.
type canvas struct {
	size   int
	pixels []color
	mask   *image.Alpha
	raster vector.Rasterizer
	colors colorTable
	slots  []int32 // of the pixels in colors
}

// reset clears the canvas.
func (c *canvas) reset(size int, background color) {
	if c.size != size {
		c.size = size
		c.pixels = make([]color, size*size)
		c.slots = make([]int32, size*size)
		c.mask = image.NewAlpha(image.Rect(0, 0, size, size))
	}
	for i := range c.pixels {
		c.pixels[i] = background
	}
}

// paint fills the path that add adds to the rasterizer.
func (c *canvas) paint(col color, add func(r *vector.Rasterizer)) {
	c.raster.Reset(c.size, c.size)
	c.raster.DrawOp = draw.Src
	add(&c.raster)
	c.raster.Draw(c.mask, c.mask.Bounds(), image.Opaque, image.Point{})
	blend(c.pixels, c.mask.Pix, col)
}

// coverageSteps is the number of degrees of coverage of a pixel. Few colors make
// small files.
const coverageSteps = 15

// coverage rounds a coverage of 0 to 255 to a weight of 0 to 256.
var coverage = func() (weights [256]uint32) {
	for i := range weights {
		weights[i] = uint32((i*coverageSteps+127)/255) * 256 / coverageSteps
	}
	return weights
}()

// blend paints a color where mask is opaque.
func blend(pixels []color, mask []uint8, col color) {
	red, green := uint32(col)&0xff00ff, uint32(col)&0x00ff00
	for i := 0; i < len(mask); {
		m := mask[i]
		if m == 0 {
			if i++; i+8 <= len(mask) && binary.LittleEndian.Uint64(mask[i:]) == 0 {
				i += 8 // most pixels are not covered
			}
			continue
		}
		if w := coverage[m]; w == 256 {
			pixels[i] = col
		} else {
			p := uint32(pixels[i])
			rb := ((p&0xff00ff)*(256-w) + red*w) >> 8 & 0xff00ff
			g := ((p&0x00ff00)*(256-w) + green*w) >> 8 & 0x00ff00
			pixels[i] = color(rb | g)
		}
		i++
	}
}

// png returns the drawing as a PNG file with at most 256 colors.
func (c *canvas) png() ([]byte, error) {
	img := image.NewPaletted(image.Rect(0, 0, c.size, c.size), nil)
	img.Palette = c.quantize(img.Pix)
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed, BufferPool: pngBuffers{}}
	err := encoder.Encode(&out, img)
	return out.Bytes(), err
}

// quantize returns the most frequent colors, and sets indexes to the index of the
// nearest of them for each pixel.
func (c *canvas) quantize(indexes []uint8) (colors imagecolor.Palette) {
	table := &c.colors
	table.reset()
	last := table.slot(c.pixels[0])
	for i, p := range c.pixels {
		if i > 0 && p != c.pixels[i-1] {
			last = table.slot(p)
		}
		table.list[last].count++
		c.slots[i] = last
	}
	order := make([]int32, len(table.list))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		x, y := table.list[a], table.list[b]
		return cmp.Or(cmp.Compare(y.count, x.count), cmp.Compare(x.color, y.color))
	})
	var kept []color
	for i, slot := range order {
		col := table.list[slot].color
		if i < 256 {
			kept = append(kept, col)
			colors = append(colors, imagecolor.RGBA{uint8(col >> 16), uint8(col >> 8), uint8(col), 0xff})
			table.list[slot].index = uint8(i)
			continue
		}
		table.list[slot].index = uint8(nearest(kept, col))
	}
	for i, slot := range c.slots {
		indexes[i] = table.list[slot].index
	}
	return colors
}

// colorTable is a hash table of the colors of a drawing with open addressing. It is
// several times faster than a map.
type colorTable struct {
	list    []colorCount
	buckets []int32 // 1 + index in list, 0 if free
}

type colorCount struct {
	color color
	count int32
	index uint8 // in the palette
}

func (t *colorTable) reset() {
	t.list = t.list[:0]
	if t.buckets == nil {
		t.buckets = make([]int32, 1<<12)
	}
	clear(t.buckets)
}

// slot returns the index of a color in list. It adds new colors.
func (t *colorTable) slot(col color) int32 {
	mask := uint32(len(t.buckets) - 1)
	at := uint32(col) * 2654435769 >> 8 & mask
	for ; t.buckets[at] != 0; at = (at + 1) & mask {
		if i := t.buckets[at] - 1; t.list[i].color == col {
			return i
		}
	}
	t.list = append(t.list, colorCount{color: col})
	t.buckets[at] = int32(len(t.list))
	if len(t.list) > len(t.buckets)/2 {
		t.grow()
	}
	return int32(len(t.list)) - 1
}

// grow doubles the table.
func (t *colorTable) grow() {
	list := slices.Clone(t.list)
	t.buckets = make([]int32, 2*len(t.buckets))
	t.list = t.list[:0]
	for _, c := range list {
		t.list[t.slot(c.color)].count = c.count
	}
}

func nearest(colors []color, col color) (best int) {
	least := int32(1 << 30)
	for i, c := range colors {
		r, g, b := int32(c>>16&0xff)-int32(col>>16&0xff), int32(c>>8&0xff)-int32(col>>8&0xff), int32(c&0xff)-int32(col&0xff)
		if d := r*r + g*g + b*b; d < least {
			least, best = d, i
		}
	}
	return best
}

// pngBuffers shares the buffers of encoders.
type pngBuffers struct{}

var pngBufferPool = sync.Pool{New: func() any { return new(png.EncoderBuffer) }}

func (pngBuffers) Get() *png.EncoderBuffer  { return pngBufferPool.Get().(*png.EncoderBuffer) }
func (pngBuffers) Put(b *png.EncoderBuffer) { pngBufferPool.Put(b) }
