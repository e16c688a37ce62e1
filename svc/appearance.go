package svc

import "hash/fnv"

// Color is the name of a color that members and communities can have. A runtime chooses
// the shade.
type Color string

const (
	ColorHarbour Color = "harbour"
	ColorSea     Color = "sea"
	ColorPine    Color = "pine"
	ColorMoss    Color = "moss"
	ColorStraw   Color = "straw"
	ColorClay    Color = "clay"
	ColorBrick   Color = "brick"
	ColorRose    Color = "rose"
	ColorPlum    Color = "plum"
	ColorIris    Color = "iris"
	ColorSlate   Color = "slate"
	ColorBark    Color = "bark"
)

// Values implements [Set].
func (Color) Values() []string {
	return Values(
		ColorHarbour, ColorSea, ColorPine, ColorMoss, ColorStraw, ColorClay, ColorBrick, ColorRose, ColorPlum, ColorIris,
		ColorSlate, ColorBark,
	)
}

// Sizes of avatars in pixels. An avatar is a square.
const (
	AvatarSide      = 320
	AvatarThumbSide = 96
)

// Appearance contains the color and the avatar of a member or a community.
type Appearance struct {
	Color  Color   `json:"color" db:"-"`
	Avatar *Avatar `json:"avatar" db:"-"` // null for none
}

// Avatar is the picture of a member or a community. Its URLs change with the picture.
type Avatar struct {
	URL      string `json:"url"` // a path below /world/
	Width    int    `json:"width"`
	Height   int    `json:"height"`
	ThumbURL string `json:"thumb_url"` // the same picture with 96×96 pixels
}

// AvatarPicture is an encoded avatar in both sizes, as a service stores it.
type AvatarPicture struct {
	Key     string // hash of the pictures, part of their URLs
	Picture []byte // JPEG or PNG, [AvatarSide] pixels
	Thumb   []byte // JPEG or PNG, [AvatarThumbSide] pixels
}

// FormerAppearance is the appearance of deleted, disabled and hidden members.
var FormerAppearance = Appearance{Color: ColorSlate}

// MemberAppearance returns the appearance of an active member. color is "" for the
// default; key is the key of the avatar, "" for none.
func MemberAppearance(id MemberID, color Color, key string) Appearance {
	if color == "" {
		color = defaultColor(uint32(id))
	}
	return Appearance{color, newAvatar("/world/social/profiles/"+id.String(), key)}
}

// CommunityAppearance returns the appearance of a community. color is "" for the default;
// key is the key of the avatar, "" for none.
func CommunityAppearance(id string, color Color, key string) Appearance {
	if color == "" {
		h := fnv.New32a()
		h.Write([]byte(id))
		color = defaultColor(h.Sum32())
	}
	return Appearance{color, newAvatar("/world/social/communities/"+id, key)}
}

// newAvatar returns the avatar of the record at a URL, nil for an empty key.
func newAvatar(record, key string) *Avatar {
	if key == "" {
		return nil
	}
	url := record + "/avatar/" + key
	return &Avatar{URL: url, Width: AvatarSide, Height: AvatarSide, ThumbURL: url + "/thumb"}
}

// colors are the values of Color.
var colors = Color("").Values()

// defaultColor returns the color for a number.
func defaultColor(n uint32) Color { return Color(colors[n%uint32(len(colors))]) }
