// Package tile draws the tiles of the map. A [Builder] turns the features of a region
// into the data of tiles, which the database stores; [Draw] draws a tile from it.
//
// # Files
//
//   - grid.go: tiles and positions of the Web Mercator grid
//   - level.go: the zooms for which data is stored, and the classes in them
//   - builder.go: Builder
//   - clip.go: the parts of lines and areas in a tile
//   - shape.go: simplification, orientation and label points
//   - sorter.go: external sort of the records of a Builder
//   - data.go: the format of the data of a tile
//   - world.go: the embedded world
//   - draw.go: Draw, which collects the features of a tile and draws them by layer
//   - style.go: colors and widths
//   - stroke.go: lines, dashes
//   - canvas.go: pixels, and their encoding as PNG
//   - font.go: the fonts of labels
//   - label.go: the selection and placing of labels
//
// # Why
//
// Data of few levels takes less space than data of all zooms, and a tile of any zoom
// is drawn from few rows. At the largest level, the data is precise enough for all
// larger zooms.
//
// All features of one color are drawn in one pass: the cost of a pass is that of all
// pixels, which is more than that of most features.
//
// A tile is drawn without its neighbors, but labels cross their borders. Each tile
// selects the labels at its border by rules that depend on nearby labels only, and
// that the neighbor applies to the same labels.
package tile
