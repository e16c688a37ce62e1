package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"appliance/app/config"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"

	"github.com/spf13/cobra"
)

// finding is what doctor says of one thing.
type finding struct {
	Check   string `json:"check"`
	State   string `json:"state"` // "ok", "warning" or "problem"
	Message string `json:"message"`
	Mend    string `json:"mend"` // what to do, "" if nothing
}

func (c *cli) doctorCommand() *cobra.Command {
	var reindex bool
	var member string
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Look for what is wrong, and say how to mend it",
		Long: "Look at the data directory, the database, the backups and, if the server runs, at the way in from outside\n" +
			"as a phone would find it. For that it makes a device password, which it takes back. The exit status is 1 if\n" +
			"there is a problem. Give the --base-url and certificate that serve has.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			settings, err := c.settings(cmd)
			if err != nil {
				return err
			}
			if reindex {
				return c.reindexAll(cmd.Context(), settings)
			}
			d := &doctor{cli: c, settings: settings, member: member}
			if err := d.examine(cmd.Context()); err != nil {
				return err
			}
			return d.tell()
		},
	}
	config.AddFlags(cmd.Flags(), "listen", "base-url", "tls-cert", "tls-key", "backup-every", "timezone")
	cmd.Flags().BoolVar(&reindex, "reindex", false, "Make all indexes of calendars anew from what clients stored.")
	cmd.Flags().StringVar(&member, "member", "", "Whose calendars to look for from outside; the first member's unless `WHO` is named.")
	return cmd
}

// doctor looks at one installation.
type doctor struct {
	*cli
	settings *config.Settings
	member   string
	found    svc.List[finding]
}

func (d *doctor) ok(check, format string, args ...any) {
	d.found = append(d.found, finding{check, "ok", fmt.Sprintf(format, args...), ""})
}

func (d *doctor) warn(check, mend, format string, args ...any) {
	d.found = append(d.found, finding{check, "warning", fmt.Sprintf(format, args...), mend})
}

func (d *doctor) problem(check, mend, format string, args ...any) {
	d.found = append(d.found, finding{check, "problem", fmt.Sprintf(format, args...), mend})
}

// tell prints what was found. Problems are a failure.
func (d *doctor) tell() error {
	problems := 0
	for _, f := range d.found {
		if f.State == "problem" {
			problems++
		}
	}
	err := d.print(d.found, func(w io.Writer) {
		for _, f := range d.found {
			fmt.Fprintf(w, "%-8s %s: %s\n", f.State, f.Check, f.Message)
			if f.Mend != "" {
				fmt.Fprintf(w, "         %s\n", f.Mend)
			}
		}
	})
	if err == nil && problems > 0 {
		err = fmt.Errorf("%d of %d checks found a problem", problems, len(d.found))
	}
	return err
}

func (d *doctor) examine(ctx context.Context) error {
	if !d.directory() || !d.database(ctx) {
		return nil
	}
	return d.withServer(ctx, d.settings, func(s *server) error {
		d.clock(s.db.Now())
		d.backups(s.db.Now())
		if d.running() {
			d.wayIn(ctx, s)
		}
		return nil
	})
}

// running reports whether a server runs on the directory.
func (d *doctor) running() bool {
	unlock, err := store.Lock(d.settings.Data)
	if err == nil {
		_ = unlock()
		d.warn("server", "Start it with appliance serve, and run doctor again for the way in from outside.", "No server is running on this directory.")
		return false
	}
	if !errors.Is(err, store.ErrLocked) {
		d.problem("server", "See who owns the file lock in the data directory.", "%v", err)
		return false
	}
	d.ok("server", "It is running.")
	return true
}

// clock compares the machine's clock with what is certainly past.
func (d *doctor) clock(now time.Time) {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if made, err := time.Parse(time.RFC3339, s.Value); s.Key == "vcs.time" && err == nil && now.Before(made) {
				d.problem("clock", "Set the clock, and keep it right with NTP.", "The machine thinks it is %s; this program was made later.", now.Format(time.RFC3339))
				return
			}
		}
	}
	d.ok("clock", "It is %s.", now.In(d.settings.Location()).Format("2006-01-02 15:04 MST"))
}

// enough is how much room on the disk is no cause for worry, in bytes.
const enough = 1 << 30

// directory looks at where the data is.
func (d *doctor) directory() (usable bool) {
	dir := d.settings.Data
	info, err := os.Stat(dir)
	if err != nil {
		d.problem("directory", "Name the data directory with --data.", "%v", err)
		return false
	}
	if open := info.Mode().Perm() & 0o077; open != 0 {
		d.problem("directory", "chmod 700 "+dir, "Others on this machine can look into %s.", dir)
	} else {
		d.ok("directory", "%s is its owner's alone.", dir)
	}
	for _, name := range []string{d.settings.Database(), d.settings.Database() + "-wal", d.settings.File()} {
		if info, err := os.Stat(name); err == nil && info.Mode().Perm()&0o077 != 0 {
			d.problem("directory", "chmod 600 "+name, "Others on this machine can read %s.", name)
		}
	}
	kind, free, err := fileSystem(dir)
	switch {
	case errors.Is(err, errors.ErrUnsupported):
	case err != nil:
		d.problem("disk", "", "%v", err)
	case free < enough:
		d.problem("disk", "Make room: a full disk stops every write.", "There are %d MB left.", free>>20)
	default:
		d.ok("disk", "There are %d GB left.", free>>30)
	}
	if kind != "" {
		d.warn("disk", "Move the data directory onto a disk of this machine.", "%s is on %s, which SQLite cannot rely on.", dir, kind)
	}
	return true
}

// large is a write-ahead log that somebody keeps from being emptied, in bytes.
const large = 512 << 20

// database looks at the file that holds everything.
func (d *doctor) database(ctx context.Context) (usable bool) {
	file := d.settings.Database()
	status, err := store.Inspect(ctx, file)
	switch {
	case err != nil:
		d.problem("database", "Use the version of this program that wrote it, or restore a backup.", "%v", err)
		return false
	case !status.Exists:
		d.warn("database", "Start with appliance serve or appliance setup.", "There is none yet in %s.", d.settings.Data)
		return false
	case len(status.Pending) > 0:
		d.warn("database", "The next start brings it up to date, after a backup.", "It is of an older version: %d changes are to be made.", len(status.Pending))
	}
	if err := store.Verify(ctx, file); err != nil {
		d.problem("database", "Stop the server and restore the last backup: appliance restore FILE.", "%v", err)
		return false
	}
	d.ok("database", "%s is whole.", file)
	if info, err := os.Stat(file + "-wal"); err == nil && info.Size() > large {
		d.warn("database", "Restart the server; some program may be holding the file open.", "The write-ahead log has grown to %d MB.", info.Size()>>20)
	}
	return len(status.Pending) == 0
}

// backups looks at how old the last backup is.
func (d *doctor) backups(now time.Time) {
	const mend = "Look into the log of the server for why."
	if d.settings.BackupEvery == 0 {
		d.warn("backups", "Set backup-every, unless something else copies the database.", "None are made by themselves.")
		return
	}
	made, err := backupFiles(d.settings)
	if err != nil || len(made) == 0 {
		d.warn("backups", "The first is made within an hour of the start. "+mend, "There is none yet.")
		return
	}
	last := made[len(made)-1]
	at, _ := time.Parse(backupName, filepath.Base(last))
	age := now.Sub(at)
	if age > 2*d.settings.BackupEvery+time.Hour {
		d.problem("backups", mend, "The last one, %s, is %d h old.", last, int(age.Hours()))
		return
	}
	d.ok("backups", "The last of %d is %d h old.", len(made), int(age.Hours()))
}

// wayIn walks the way that a phone takes, from the address of the server to
// the calendars of a member.
func (d *doctor) wayIn(ctx context.Context, s *server) {
	base := d.settings.URL()
	if !d.reachable(ctx, base) {
		return
	}
	if base.Scheme != "https" {
		d.warn("https", "See appliance help https.", "The address is %s: iPhones and Macs refuse to sign in without HTTPS.", base)
	} else {
		d.ok("https", "The certificate of %s is good.", base.Host)
	}
	d.wellKnown(ctx, base)
	d.methods(ctx, base)
	if err := d.discover(ctx, s); err != nil {
		d.problem("discovery", "Open the address in a browser and sign in, to see whether this is the right server.", "A calendar program does not find the calendars: %v", err)
	}
}

// ask sends a request without credentials and follows no redirection.
func (d *doctor) ask(ctx context.Context, method, address string) (*http.Response, error) {
	web := &http.Client{Timeout: 20 * time.Second, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	r, err := http.NewRequestWithContext(ctx, method, address, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Depth", "0")
	answer, err := web.Do(r)
	if err == nil {
		answer.Body.Close()
	}
	return answer, err
}

func (d *doctor) reachable(ctx context.Context, base *url.URL) bool {
	answer, err := d.ask(ctx, http.MethodGet, base.String()+"/ready")
	switch {
	case err != nil:
		d.problem("address", "Set base-url to the address that members use; a name must lead here, and a proxy must run.", "%s cannot be reached: %v", base, err)
	case answer.StatusCode != http.StatusOK:
		d.problem("address", "Something else answers there, or the proxy does not pass the path on. See appliance help https.", "%s/ready answers %s.", base, answer.Status)
	default:
		d.ok("address", "%s is reached.", base)
		return true
	}
	return false
}

// wellKnown checks where programs are sent that know only the name of the host.
func (d *doctor) wellKnown(ctx context.Context, base *url.URL) {
	at := base.Scheme + "://" + base.Host + "/.well-known/caldav"
	want := base.Path + "/caldav/"
	answer, err := d.ask(ctx, "PROPFIND", at)
	if err != nil {
		d.problem("discovery", "", "%s cannot be reached: %v", at, err)
		return
	}
	mend := fmt.Sprintf("Have the proxy pass /.well-known/caldav to this server, or answer it with a redirection to %s.", want)
	to, err := answer.Location()
	switch {
	case err != nil:
		d.problem("discovery", mend, "%s answers %s, not a redirection.", at, answer.Status)
	case to.Scheme != base.Scheme || to.Host != base.Host || to.Path != want:
		d.problem("discovery", mend, "%s leads to %s, not to %s.", at, to, want)
	default:
		d.ok("discovery", "%s leads to %s.", at, to)
	}
}

// methods checks that a proxy lets through what CalDAV needs.
func (d *doctor) methods(ctx context.Context, base *url.URL) {
	const mend = "Have the proxy pass all methods, and the Authorization header."
	for _, method := range []string{"OPTIONS", "PROPFIND", "REPORT", "MKCALENDAR", "PROPPATCH", "PUT", "DELETE"} {
		answer, err := d.ask(ctx, method, base.String()+"/caldav/")
		if err != nil {
			d.problem("proxy", mend, "%s does not get through: %v", method, err)
			return
		}
		if auth := answer.Header.Get("WWW-Authenticate"); answer.StatusCode != http.StatusUnauthorized || !strings.HasPrefix(auth, "Basic ") {
			d.problem("proxy", mend, "%s is answered with %s, not with a request to sign in.", method, answer.Status)
			return
		}
	}
	d.ok("proxy", "All methods of CalDAV get through.")
}

// discover signs in as a calendar program does, with a device password that is
// taken back, and lists the calendars.
func (d *doctor) discover(ctx context.Context, s *server) error {
	m, v, err := s.someMember(ctx, identity.CommandLine(machineUser()), d.member)
	if err != nil || m.ID == 0 {
		return err
	}
	var device identity.NewDevice
	err = s.db.Write(ctx, func(tx *store.Tx) error {
		device, err = s.identity.AddDevice(tx, v, "appliance doctor")
		return err
	})
	if err != nil {
		return err
	}
	defer func() {
		revoke := func(tx *store.Tx) error { return s.identity.RevokeDevice(tx, v, device.ID) }
		if err := s.db.Write(context.WithoutCancel(ctx), revoke); err != nil {
			d.problem("discovery", "Take it back on the account page.", "The device password “appliance doctor” is still there: %v", err)
		}
	}()
	remote, err := dialDAV(ctx, d.settings.URL().JoinPath("/caldav/"), m.Username, device.Password, func(string, ...any) {})
	if err != nil {
		return err
	}
	list, err := remote.calendars.FindCalendars(ctx, remote.home)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return errors.New("there are none")
	}
	d.ok("discovery", "A calendar program finds the calendars of %s: %d.", m.Username, len(list))
	return nil
}

// someMember returns the member that who means, or the first one who is not
// disabled; none if there are no members.
func (s *server) someMember(ctx context.Context, by identity.Actor, who string) (m identity.AdminMember, v svc.Viewer, err error) {
	err = s.db.Read(ctx, func(tx *store.Tx) error {
		if who != "" {
			m, err = s.identity.FindMember(tx, by, who)
		} else {
			var page identity.MemberPage
			page, err = s.identity.Members(tx, by, identity.MemberQuery{Status: identity.Active, Limit: 1})
			if len(page.Members) > 0 {
				m = page.Members[0]
			}
		}
		if err != nil || m.ID == 0 {
			return err
		}
		v, err = s.identity.OnBehalf(tx, m.ID)
		return err
	})
	return m, v, err
}

// reindexAll makes all that is known of entries anew from their octets.
func (c *cli) reindexAll(ctx context.Context, settings *config.Settings) error {
	return c.withServer(ctx, settings, func(s *server) error {
		total, err := s.reindexAll(ctx, s.objects.AllObjects)
		if err != nil {
			return err
		}
		return c.print(map[string]int{"entries": total}, func(w io.Writer) { fmt.Fprintf(w, "%d entries are indexed anew.\n", total) })
	})
}
