package dataset

import (
	"time"

	"appliance/svc"
	"appliance/svc/surface"
	"appliance/world/action"
)

// workspaceService is the name of the surface service in datasets, which must not
// contain terms of presentation.
const workspaceService = "workspace"

// workspaceItems is the content of the member's workspace.
type workspaceItems struct {
	list       []workspaceItem // in order, each once
	focus      string          // world_object_id, "" for none
	continuity Continuity
}

// workspaceItem is one item of the workspace. The dataset may not contain its
// object.
type workspaceItem struct {
	id        string // world_object_id
	source    action.Source
	title     string  // title of the object when it was added
	focusedAt *string // time of the last focus, RFC 3339; nil if never
}

// workspaceResult is the result of the part of the workspace.
type workspaceResult struct {
	result
	items        *workspaceItems
	findings     records
	findingItems []ContextItem // the findings in the context of Find
	incomplete   bool          // whether the workspace has defaults that are not stored yet
}

// measure sets r.size to the estimated memory of the result, in bytes.
func (r *workspaceResult) measure() {
	r.result.measure()
	r.size += 300*len(r.items.list) + r.findings.size() + 200*len(r.findingItems)
}

// workspaceParts returns the part of the workspace: its items, the findings, and
// the objects that findings have become.
func workspaceParts() []part {
	return []part{newPart(workspaceSections, func(r *results) **workspaceResult { return &r.workspace }, buildWorkspace, svc.SurfaceTopic)}
}

// buildWorkspace builds the part of the workspace.
func buildWorkspace(b *builder) (r workspaceResult, err error) {
	w, err := b.services.Surface.Read(b.tx, b.viewer)
	if err != nil {
		return r, err
	}
	focused, err := b.services.Surface.LastFocused(b.tx, b.viewer)
	if err != nil {
		return r, err
	}
	r.incomplete = w.Unsaved
	if r.items, err = b.items(w, focused); err != nil {
		return r, err
	}
	promoted, err := b.addPromoted(&r.result, w)
	if err != nil {
		return r, err
	}
	return r, b.addFindings(&r, w, promoted)
}

// items returns the items of the carry stack. focused contains the time of the
// last focus of each surface.
func (b *builder) items(w *surface.Workspace, focused map[string]time.Time) (*workspaceItems, error) {
	stack, err := w.Stack(surface.CarryStack)
	if err != nil {
		return nil, err
	}
	surfaces, err := w.Select("", surface.CarryStack)
	if err != nil {
		return nil, err
	}
	items := &workspaceItems{continuity: Continuity{Revision: w.Revision, Resumed: w.Revision > 0}}
	if w.UpdatedAt != nil {
		items.continuity.UpdatedAt = new(timestamp(*w.UpdatedAt))
	}
	seen := make(map[string]bool)
	for _, s := range surfaces {
		source, ok := action.SourceOf(s.ServiceBinding)
		if !ok {
			continue
		}
		id := b.actionBuilder.ObjectID(source)
		if focus := stack.FocusedSurfaceID; focus != nil && *focus == s.SurfaceID {
			items.focus = id
		}
		if seen[id] {
			continue
		}
		seen[id] = true
		item := workspaceItem{id: id, source: source, title: s.InLanguage(b.viewer.Language()).Title}
		if at, ok := focused[s.SurfaceID]; ok {
			item.focusedAt = new(timestamp(at))
		}
		items.list = append(items.list, item)
	}
	return items, nil
}
