package apptest

import (
	"image"
	"image/color"
	"net/http"
	"strings"

	"appliance/svc/raster"
	"appliance/svc/raster/rastertest"
)

// OwnAvatarPath is the path at which a member sets their avatar.
const OwnAvatarPath = "/world/social/profile/avatar"

// AvatarFile returns a PNG file with a shade that distinguishes it from other files.
func (s *Server) AvatarFile(shade uint8) []byte {
	m := rastertest.Halves(20, 10)
	for y := range 10 {
		m.SetRGBA(10, y, color.RGBA{shade, shade, shade, 255})
	}
	return rastertest.PNG(s.T, m)
}

// Upload sends a file with the type of its content.
func (c *Client) Upload(method, path string, file []byte) *Answer {
	c.T.Helper()
	return c.With("Content-Type", raster.Type(file)).Do(method, path, string(file))
}

// WantPicture fails the test unless a URL responds with a square picture.
func (c *Client) WantPicture(url string, side int) *Answer {
	c.T.Helper()
	a := c.Do("GET", url).Want(http.StatusOK)
	config, _, err := image.DecodeConfig(strings.NewReader(a.Body))
	if err != nil || config.Width != side || config.Height != side {
		c.T.Errorf("%s: got a picture of %d×%d pixels, %v, want %d×%d", url, config.Width, config.Height, err, side, side)
	}
	return a
}
