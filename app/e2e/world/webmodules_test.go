package world

import (
	"os"
	"os/exec"
	"testing"

	"appliance/app/apptest"
	"appliance/app/config"
)

// The modules of the web app keep a copy of the server's dataset current, below a path, by the
// changes in responses and by the stream. Covers B-99, B-104 and B-105.
func TestModulesOfTheWebAppAgreeWithTheServer(t *testing.T) {
	apptest.NeedPrograms(t, "node")
	for _, base := range []string{"", "/home/garden"} {
		s := apptest.New(t, func(s *config.Settings) { s.BaseURL = "http://example.org" + base })
		ann := s.Member("ann")
		s.Member("bea")
		p := exec.CommandContext(t.Context(), "/usr/bin/node", "../../../testdata/web/world/live.mjs", s.HTTP.URL, base)
		p.Env = append(os.Environ(), "TOKEN="+ann.Token)
		if out, err := p.CombinedOutput(); err != nil {
			t.Errorf("below %q: got %v, want success:\n%s", base, err, out)
		}
	}
}
