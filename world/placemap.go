package world

import (
	gomaps "maps"
	"slices"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/maps"
	"appliance/svc/surface"
	"appliance/svc/words"
)

// MapLayers returns the layers of the maps that surfaces show, with labels in the language
// l; nil if no surface shows a map or Maps cannot be read. Layers are not stored in
// surfaces: they change with the imported regions and with the settings.
func (w *World) MapLayers(tx *store.Tx, l words.Language, surfaces []surface.Surface) (layers []maps.Layer) {
	hosted := w.hosted("maps")
	if !slices.ContainsFunc(surfaces, showsMap) || hosted.State() == svc.StateUnavailable {
		return nil
	}
	// The hosted service logs the error.
	_ = svc.Attempt(tx.Context(), hosted, func() (err error) {
		layers, err = w.services.Maps.Layers(tx, l)
		return err
	})
	return layers
}

// showsMap reports whether a surface shows a place on a map.
func showsMap(s surface.Surface) bool {
	return s.SurfaceType == surface.MapType && s.RuntimeState.SurfaceObject != nil
}

// AddOpenings adds to each surface of a place whether the place is open at now. It
// returns the time at which one of the places opens or closes, zero for never.
func (w *World) AddOpenings(now time.Time, surfaces []surface.Surface) (expires time.Time) {
	for i := range surfaces {
		state := &surfaces[i].RuntimeState
		if state.Finding == nil {
			continue
		}
		f, until := w.services.Maps.WithOpening(*state.Finding, now)
		if !until.IsZero() && (expires.IsZero() || until.Before(expires)) {
			expires = until
		}
		state.Finding = &f
		content, ok := state.SurfaceObject["content"].(map[string]any)
		if _, open := f.Payload["open_now"]; !ok || !open {
			continue
		}
		content = gomaps.Clone(content)
		for _, key := range []string{"open_now", "next_change", "timezone"} {
			content[key] = f.Payload[key]
		}
		state.SurfaceObject = gomaps.Clone(state.SurfaceObject)
		state.SurfaceObject["content"] = content
	}
	return expires
}

// PresentFindings returns stored findings in the language l, and with the state of their
// opening hours at now.
func (w *World) PresentFindings(l words.Language, now time.Time, findings []svc.Finding) []svc.Finding {
	list := slices.Clone(findings)
	for i := range list {
		list[i], _ = w.services.Maps.Present(l, list[i], now)
	}
	return list
}
