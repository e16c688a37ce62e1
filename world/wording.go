package world

import (
	gomaps "maps"

	"appliance/svc"
	"appliance/svc/maps"
	"appliance/svc/surface"
	"appliance/svc/words"
)

// setLanguage sets the texts of the server in surfaces to those in the language l. Surfaces
// are stored with English ones.
func setLanguage(l words.Language, surfaces []surface.Surface) {
	if l == words.English {
		return
	}
	for i, s := range surfaces {
		s = s.InLanguage(l)
		if f := s.RuntimeState.Finding; f != nil {
			s = withFinding(s, *f, maps.InLanguage(l, *f))
		}
		if t := s.RuntimeState.Translation; t != nil && t.Reason != "" {
			s.RuntimeState.Translation = new(*t)
			s.RuntimeState.Translation.Reason = l.Stored(t.Reason)
		}
		surfaces[i] = s
	}
}

// withFinding returns a surface that shows a stored finding with the finding in another
// language.
func withFinding(s surface.Surface, stored, f svc.Finding) surface.Surface {
	replace := func(text *string, from, to string) {
		if *text == from {
			*text = to
		}
	}
	state := &s.RuntimeState
	state.Finding = &f
	replace(&s.Title, stored.Title, f.Title)
	replace(&state.Summary, stored.Summary, f.Summary)
	if state.SurfaceObject == nil {
		return s
	}
	state.SurfaceObject = gomaps.Clone(state.SurfaceObject)
	for key, texts := range map[string][2]string{"title": {stored.Title, f.Title}, "summary": {stored.Summary, f.Summary}} {
		if text, ok := state.SurfaceObject[key].(string); ok {
			replace(&text, texts[0], texts[1])
			state.SurfaceObject[key] = text
		}
	}
	if content, ok := state.SurfaceObject["content"].(map[string]any); ok && content["kind"] == stored.Payload["kind"] && content["kind"] != nil {
		content = gomaps.Clone(content)
		content["kind"] = f.Payload["kind"]
		state.SurfaceObject["content"] = content
	}
	return s
}
