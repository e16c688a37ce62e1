package svc

import (
	"hash/fnv"
	"slices"
	"strings"
)

// Colors are the names of the colors that members and communities can have. A runtime
// chooses the shades.
var Colors = List[string]{
	"harbour", "sea", "pine", "moss", "straw", "clay", "brick", "rose", "plum", "iris", "slate", "bark",
}

// formerColor is the color of all former members.
const formerColor = "slate"

// Sizes of avatars in pixels. An avatar is a square.
const (
	AvatarSide      = 320
	AvatarThumbSide = 96
)

// Appearance contains the color and the avatar of a member or a community.
type Appearance struct {
	Color  string  `json:"color" db:"-"`  // one of twelve names
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
var FormerAppearance = Appearance{Color: formerColor}

// MemberAppearance returns the appearance of an active member. color is "" for the
// default; key is the key of the avatar, "" for none.
func MemberAppearance(id MemberID, color, key string) Appearance {
	if color == "" {
		color = Colors[int(id)%len(Colors)]
	}
	return Appearance{color, newAvatar("/world/social/profiles/"+id.String(), key)}
}

// CommunityAppearance returns the appearance of a community. color is "" for the default;
// key is the key of the avatar, "" for none.
func CommunityAppearance(id, color, key string) Appearance {
	if color == "" {
		h := fnv.New32a()
		h.Write([]byte(id))
		color = Colors[h.Sum32()%uint32(len(Colors))]
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

// CheckColor validates the name of a color.
func CheckColor(field, name string) error {
	if slices.Contains(Colors, name) {
		return nil
	}
	return FieldError(InvalidValue, field, "Choose one of these colors: %s.", strings.Join(Colors, ", "))
}
