package raster

import (
	"image"
	"image/draw"
)

// reduce returns a picture with at most side pixels on each side.
func reduce(src image.Image, side int) *image.RGBA {
	b := src.Bounds()
	w, h := b.Dx(), b.Dy()
	if w <= side && h <= side {
		dst := image.NewRGBA(image.Rect(0, 0, w, h))
		draw.Draw(dst, dst.Bounds(), src, b.Min, draw.Src)
		return dst
	}
	dw, dh := side, side
	if w > h {
		dh = max(1, (h*side+w/2)/w)
	} else {
		dw = max(1, (w*side+h/2)/h)
	}
	return scale(src, b, dw, dh)
}

// centeredSquare returns the largest square in the middle of a rectangle.
func centeredSquare(r image.Rectangle) image.Rectangle {
	side := min(r.Dx(), r.Dy())
	at := r.Min.Add(image.Pt((r.Dx()-side)/2, (r.Dy()-side)/2))
	return image.Rectangle{at, at.Add(image.Pt(side, side))}
}

// scale returns the part b of a picture in the size dw×dh. A pixel of the result is the
// average of the area that it covers. Memory is proportional to the result and a row of
// the source.
func scale(src image.Image, b image.Rectangle, dw, dh int) *image.RGBA {
	w, h := b.Dx(), b.Dy()
	dst := image.NewRGBA(image.Rect(0, 0, dw, dh))
	line := image.NewRGBA(image.Rect(0, 0, w, 1))
	narrow := make([]float32, dw*4) // a row of the source in the width of dst
	sum := make([]float32, dw*4)    // a row of dst
	spans := newSpans(w, dw)
	for _, v := range newSpans(h, dh) {
		if v.first {
			draw.Draw(line, line.Bounds(), src, image.Pt(b.Min.X, b.Min.Y+v.src), draw.Src)
			clear(narrow)
			for _, s := range spans {
				to, from := narrow[s.dst*4:s.dst*4+4], line.Pix[s.src*4:s.src*4+4]
				for c := range 4 {
					to[c] += s.weight * float32(from[c])
				}
			}
		}
		for i, value := range narrow {
			sum[i] += v.weight * value
		}
		if v.last {
			row := dst.Pix[v.dst*dst.Stride:]
			for i, value := range sum {
				row[i] = uint8(value + 0.5)
			}
			limitAlpha(row[:dw*4])
			clear(sum)
		}
	}
	return dst
}

// limitAlpha corrects premultiplied colors that rounding has made larger than alpha.
func limitAlpha(row []uint8) {
	for i := 0; i < len(row); i += 4 {
		for c := range 3 {
			row[i+c] = min(row[i+c], row[i+3])
		}
	}
}

// span is the overlap of a source pixel with a pixel of the result, along one axis.
type span struct {
	src, dst    int
	weight      float32 // share of the pixel of the result, 0 to 1
	first, last bool    // whether it is the first span of src and the last span of dst
}

// newSpans divides n source pixels into size pixels of the result, in order.
func newSpans(n, size int) []span {
	list := make([]span, 0, n+size)
	for src, dst, at := 0, 0, 0; dst < size; { // at is a position in units of 1/size source pixels
		end := min((src+1)*size, (dst+1)*n)
		s := span{src: src, dst: dst, weight: float32(end-at) / float32(n), first: at == src*size, last: end == (dst+1)*n}
		list = append(list, s)
		if at = end; s.last {
			dst++
		}
		if end == (src+1)*size {
			src++
		}
	}
	return list
}

// applyOrientation applies an EXIF orientation.
func applyOrientation(src *image.RGBA, orientation int) *image.RGBA {
	if orientation <= 1 || orientation > 8 {
		return src
	}
	w, h := src.Rect.Dx(), src.Rect.Dy()
	size := image.Rect(0, 0, w, h)
	if orientation >= 5 {
		size = image.Rect(0, 0, h, w)
	}
	dst := image.NewRGBA(size)
	for y := range h {
		for x := range w {
			tx, ty := x, y
			switch orientation {
			case 2:
				tx = w - 1 - x
			case 3:
				tx, ty = w-1-x, h-1-y
			case 4:
				ty = h - 1 - y
			case 5:
				tx, ty = y, x
			case 6:
				tx, ty = h-1-y, x
			case 7:
				tx, ty = h-1-y, w-1-x
			case 8:
				tx, ty = y, w-1-x
			}
			copy(dst.Pix[dst.PixOffset(tx, ty):][:4], src.Pix[src.PixOffset(x, y):][:4])
		}
	}
	return dst
}
