package dataset

// layout contains the text that depends on more than one part: the workspace, and
// the suffixes of objects (see [object]). It is immutable. The next layout reuses what
// has not changed.
type layout struct {
	results       results // the results from which the layout was computed
	workspace     *workspaceLayout
	present       map[string]bool // targets of relationships; true if the dataset contains the object
	objects       Chunks          // items of the section objects
	objectActions Chunks          // actions on objects, for the section actions
	manifest      []objectHashes  // of the objects
	hash          uint64          // of the section objects and of objectActions
	size          int             // bytes, approximately
}

// addLayout adds the layout of the results: the previous layout if no result has
// changed.
func (c *composition) addLayout() error {
	l := c.previous.layout
	if l == nil || l.results != c.next.results {
		var err error
		if l, err = c.newLayout(l); err != nil {
			return err
		}
	}
	c.next.layout = l
	c.next.size += l.size
	c.actions = append(c.actions, l.workspace.actions...)
	c.contexts = append(c.contexts, l.workspace.context)
	return nil
}

// newLayout returns a layout. It reuses valid text of the previous layout, which
// may be nil.
func (c *composition) newLayout(previous *layout) (l *layout, err error) {
	if previous == nil {
		previous = new(layout)
	}
	l = &layout{results: c.next.results, present: presentTargets(c.objects)}
	if l.workspace, err = c.newWorkspaceLayout(previous.workspace); err != nil {
		return nil, err
	}
	outside, err := encodeFields(ObjectPlace{Placement: Placement{Area: NoArea}, Focus: Focus{Focusable: true}})
	if err != nil {
		return nil, err
	}
	e := suffixEncoder{slots: l.workspace.slots, present: l.present, place: func(_ *object, s *slot) ([]byte, error) {
		if s == nil {
			return outside, nil
		}
		return s.place, nil
	}}
	if l.objects, err = e.objects(c.objects); err != nil {
		return nil, err
	}
	actions := make([]records, len(c.objects))
	for i, o := range c.objects {
		actions[i] = o.actions
	}
	l.objectActions = textsOf(actions)
	l.setManifest(c.objects)
	l.size = e.size + l.workspace.size + 24*(len(l.objects)+len(l.objectActions)) + 80*len(l.present) + 32*len(l.manifest)
	return l, nil
}

// objectHashes identifies an object and its content, and the actions on it.
type objectHashes struct {
	id      string
	hash    uint64
	actions *recordHashes
}

// text returns the text of object i.
func (l *layout) text(i int) (data, suffix []byte) {
	const stride = 3 // data, suffix and comma
	return l.objects[stride*i], l.objects[stride*i+1]
}

// setManifest sets manifest and hash.
func (l *layout) setManifest(objects []*object) {
	l.manifest = make([]objectHashes, len(objects))
	var shared []byte // the latest suffix, which the following objects often share
	var suffixHash uint64
	for i, o := range objects {
		_, suffix := l.text(i)
		if len(shared) == 0 || &suffix[0] != &shared[0] {
			shared, suffixHash = suffix, hashOf(suffix)
		}
		m := objectHashes{o.id, combineHashes(o.dataHash, suffixHash), o.actions.index()}
		l.manifest[i], l.hash = m, combineHashes(l.hash, combineHashes(m.hash, m.actions.hash))
	}
}

// presentTargets returns the targets of all relationships, with true for those that
// are among the objects.
func presentTargets(objects []*object) map[string]bool {
	targets := make(map[string]bool)
	for _, o := range objects {
		for _, r := range o.relations {
			targets[r.target] = false
		}
	}
	for _, o := range objects {
		if _, ok := targets[o.id]; ok {
			targets[o.id] = true
		}
	}
	return targets
}

// suffixEncoder encodes the suffixes of objects (see [object]). Objects outside the
// workspace without relationships share one suffix for each placement.
type suffixEncoder struct {
	slots   map[string]*slot                     // workspace slots by world_object_id
	present map[string]bool                      // targets of relationships
	place   func(*object, *slot) ([]byte, error) // returns the encoded placement fields of an object, such as ObjectPlace

	shared map[*byte][]byte // shared suffixes by the address of the encoded placement
	size   int              // bytes of all suffixes
}

// objects returns the texts of the objects, with commas between them.
func (e *suffixEncoder) objects(objects []*object) (Chunks, error) {
	e.shared = make(map[*byte][]byte)
	list := make(Chunks, 0, 3*len(objects))
	for i, o := range objects {
		suffix, err := e.encodeSuffix(o)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			list = append(list, comma)
		}
		list = append(list, o.data, suffix)
	}
	return list, nil
}

func (e *suffixEncoder) encodeSuffix(o *object) (suffix []byte, err error) {
	s := e.slots[o.id]
	place, err := e.place(o, s)
	if err != nil {
		return nil, err
	}
	var further []string
	if s != nil {
		further = s.actionIDs
	}
	sharesSuffix := s == nil && len(o.relations) == 0 && len(o.actionIDs) > 0 // whether the object shares its suffix
	if suffix = e.shared[&place[0]]; sharesSuffix && suffix != nil {
		return suffix, nil
	}
	if suffix, err = o.encodeSuffix(further, e.present, place); err != nil {
		return nil, err
	}
	e.size += len(suffix)
	if sharesSuffix {
		e.shared[&place[0]] = suffix
	}
	return suffix, nil
}
