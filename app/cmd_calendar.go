package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/dav"
	"appliance/svc/calendar/ics"
	"appliance/svc/identity"

	"github.com/emersion/go-webdav"
	"github.com/spf13/cobra"
)

func (c *cli) calendarCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "calendar",
		Short: "Import, export and bring back calendars",
		Long:  "What members' calendars hold. MEMBER is a number, a user name or an e-mail address.",
	}
	cmd.AddCommand(c.calendarImport(), c.calendarExport(), c.calendarTrash(), c.calendarRestore())
	return cmd
}

// asMember finds the member that who means and returns what they may see.
func (s *server) asMember(ctx context.Context, by identity.Actor, who string) (v svc.Viewer, err error) {
	err = s.db.Read(ctx, func(tx *store.Tx) error {
		m, err := s.identity.FindMember(tx, by, who)
		if err == nil {
			v, err = s.identity.OnBehalf(tx, m.ID)
		}
		return err
	})
	return v, err
}

func (c *cli) calendarImport() *cobra.Command {
	var from, user, into string
	var withPassword bool
	cmd := c.memberCommand("import MEMBER [FILE.ics|DIR]", "Read calendars from a file, a folder or another server", cobra.RangeArgs(1, 2),
		func(ctx context.Context, s *server, by identity.Actor, args []string) error {
			if (from == "") == (len(args) < 2) {
				return usageError{errors.New("name one source: a file, a folder, or --from URL")}
			}
			v, err := s.asMember(ctx, by, args[0])
			if err != nil {
				return err
			}
			i := &intake{importer: importer{server: s, v: v}, cli: c, all: into, chosen: make(map[string]string)}
			if from != "" {
				err = i.remote(ctx, from, user, withPassword)
			} else {
				err = i.path(ctx, args[1])
			}
			if err == nil {
				err = i.flush(ctx)
			}
			return c.imported(i, err)
		})
	cmd.Long = "Read calendars into those of MEMBER. A source that has a name goes into the calendar of that name, which is\n" +
		"made if need be; one that has none, into the default calendar. What is there already stays as it is, so that\n" +
		"an import can be repeated. Of a folder, each .ics file in it is read, and each folder in it is a calendar."
	cmd.Flags().StringVar(&from, "from", "", "Address of a CalDAV `server` to read from.")
	cmd.Flags().StringVar(&user, "user", "", "User `name` there.")
	cmd.Flags().BoolVar(&withPassword, "password-stdin", false, "Read the password there from standard input.")
	cmd.Flags().StringVar(&into, "calendar", "", "`Name` of the calendar to put everything into.")
	return cmd
}

// imported prints what became of an import, also of one that broke off.
func (c *cli) imported(i *intake, err error) error {
	result := struct {
		Calendars svc.List[string] `json:"calendars"`
		calendar.ImportReport
	}{slices.Sorted(maps.Keys(i.chosen)), i.report}
	printErr := c.print(result, func(w io.Writer) {
		for _, r := range i.report.Refused {
			fmt.Fprintln(w, r)
		}
		fmt.Fprintln(w, i.report)
	})
	if err == nil && i.report.RefusedCount > 0 {
		err = fmt.Errorf("%d could not be taken", i.report.RefusedCount)
	}
	return errors.Join(err, printErr)
}

// intake is an import into several calendars.
type intake struct {
	importer
	cli    *cli
	all    string            // name of the calendar for everything; "" for each its own
	chosen map[string]string // ids of calendars by name; "" is the default one
}

// choose makes the importer go on with the calendar of that name.
func (i *intake) choose(ctx context.Context, name, color string, components []string) error {
	if i.all != "" {
		name = i.all
	}
	name = strings.TrimSpace(name)
	if len([]rune(name)) > svc.MaxName {
		name = string([]rune(name)[:svc.MaxName])
	}
	if id, ok := i.chosen[name]; ok {
		return i.into(ctx, id)
	}
	var id string
	err := i.db.Write(ctx, func(tx *store.Tx) error {
		list, err := i.server.calendar.Calendars(tx, i.v)
		if err != nil {
			return err
		}
		n := slices.IndexFunc(list, func(c calendar.Calendar) bool { return name == "" && c.IsDefault || name != "" && c.Name == name })
		if n >= 0 {
			id = list[n].ID
			return nil
		}
		made, err := i.server.calendar.CreateCalendar(tx, i.v, calendar.NewCalendar{Name: name, Color: plainColor(color), Components: components})
		id = made.ID
		return err
	})
	if err != nil {
		return err
	}
	i.chosen[name] = id
	return i.into(ctx, id)
}

// plainColor is a colour as calendars have it, "" if it is none: Apple writes
// one with its opacity behind it.
func plainColor(color string) string {
	color = strings.TrimSpace(color)
	if len(color) == len("#rrggbbaa") {
		color = color[:len("#rrggbb")]
	}
	if len(color) != len("#rrggbb") || color[0] != '#' || strings.Trim(color[1:], "0123456789abcdefABCDEF") != "" {
		return ""
	}
	return color
}

// path reads a file, or the folder of a calendar with those inside it.
func (i *intake) path(ctx context.Context, name string) error {
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return i.file(ctx, name, "", "")
	}
	return filepath.WalkDir(name, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.EqualFold(filepath.Ext(file), ".ics") {
			return err
		}
		folder, title := filepath.Dir(file), ""
		if folder != filepath.Clean(name) {
			title = filepath.Base(folder)
		}
		// vdir folders say how they are called, and their colour, in files.
		return i.file(ctx, file, firstLine(filepath.Join(folder, "displayname"), title), firstLine(filepath.Join(folder, "color"), ""))
	})
}

// firstLine returns the first line of a file, or what to take without it.
func firstLine(file, without string) string {
	text, err := os.ReadFile(file)
	line, _, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
	if err != nil || line == "" {
		return without
	}
	return line
}

// file reads one file. A folder's name goes before its own.
func (i *intake) file(ctx context.Context, name, title, color string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	collection, err := ics.ReadStream(f, info.Size(), i.cli.progress("Reading "+filepath.Base(name)))
	if invalid, ok := errors.AsType[*ics.Error](err); ok { // the others of a folder may be whole
		i.refuse(name, invalid.Reason)
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if title == "" {
		title = collection.Name
	}
	if color == "" {
		color = collection.Color
	}
	if err := i.choose(ctx, title, color, nil); err != nil {
		return err
	}
	return i.takeAll(ctx, name, collection)
}

// remote reads all calendars of a user of another server.
func (i *intake) remote(ctx context.Context, address, user string, withPassword bool) error {
	at, err := url.Parse(address)
	if err != nil || at.Host == "" || at.Scheme != "https" && at.Scheme != "http" {
		return usageError{fmt.Errorf("--from: %q is not an address such as https://calendar.example.org", address)}
	}
	password, err := i.cli.password(withPassword)
	if err != nil {
		return err
	}
	d, err := dialDAV(ctx, at, user, password, i.cli.say)
	if err != nil {
		return err
	}
	calendars, err := d.calendars.FindCalendars(ctx, d.home)
	if err != nil {
		return fmt.Errorf("listing the calendars: %w", err)
	}
	for _, one := range calendars {
		if err := i.choose(ctx, one.Name, "", components(known(one.SupportedComponentSet))); err != nil {
			return err
		}
		if err := i.remoteCalendar(ctx, d, one.Path); err != nil {
			return fmt.Errorf("%s: %w", one.Path, err)
		}
	}
	return nil
}

// known returns those of the components that calendars here can hold.
func known(named []string) []string {
	return slices.DeleteFunc(named, func(c string) bool { return !slices.Contains(dav.ObjectComponents, c) })
}

// fetchAtOnce is how many entries are fetched at the same time.
const fetchAtOnce = 8

func (i *intake) remoteCalendar(ctx context.Context, d *davRemote, calendar string) error {
	list, err := d.files.ReadDir(ctx, calendar, false)
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(f webdav.FileInfo) bool { return f.IsDir || f.Path == calendar })
	progress := i.cli.progress("Fetching " + path.Base(calendar))
	fetched := 0
	for part := range slices.Chunk(list, fetchAtOnce) {
		texts, errs := make([][]byte, len(part)), make([]error, len(part))
		var fetching sync.WaitGroup
		for n, f := range part {
			fetching.Go(func() { texts[n], errs[n] = fetch(ctx, d, f.Path) })
		}
		fetching.Wait()
		if !slices.Contains(errs, nil) { // the server has gone, or lets nobody read
			return errors.Join(errs...)
		}
		for n, text := range texts {
			if err := i.take(ctx, part[n].Path, ics.Entry{Text: text, Err: errs[n]}); err != nil {
				return err
			}
		}
		if fetched += len(part); progress != nil {
			progress(int64(fetched), int64(len(list)))
		}
	}
	return nil
}

// fetch returns what is at a path, as it is there.
func fetch(ctx context.Context, d *davRemote, at string) ([]byte, error) {
	body, err := d.files.Open(ctx, at)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	return io.ReadAll(io.LimitReader(body, ics.MaxSize+1))
}

func (c *cli) calendarExport() *cobra.Command {
	cmd := c.memberCommand("export MEMBER DIR", "Write each calendar into a file", cobra.ExactArgs(2),
		func(ctx context.Context, s *server, by identity.Actor, args []string) error {
			v, err := s.asMember(ctx, by, args[0])
			if err != nil {
				return err
			}
			if err := os.MkdirAll(args[1], 0o700); err != nil {
				return err
			}
			var files svc.List[string]
			err = s.db.Read(ctx, func(tx *store.Tx) error {
				list, err := s.calendar.Calendars(tx, v)
				for _, one := range list {
					name := fileName(one.Name) + ".ics"
					for n := 2; slices.Contains(files, name); n++ {
						name = fmt.Sprintf("%s %d.ics", fileName(one.Name), n)
					}
					files = append(files, name)
					err = errors.Join(err, s.writeCalendar(tx, v, one.ID, filepath.Join(args[1], name)))
				}
				return err
			})
			if err != nil {
				return err
			}
			return c.print(map[string]any{"directory": args[1], "files": files}, func(w io.Writer) {
				for _, name := range files {
					fmt.Fprintln(w, filepath.Join(args[1], name))
				}
			})
		})
	cmd.Long = "Write each calendar of MEMBER into a file of its name in DIR, as other programs import it. A file of that name\n" +
		"is replaced."
	return cmd
}

// writeCalendar writes a calendar into a file, which has its name only once it
// is complete.
func (s *server) writeCalendar(tx *store.Tx, v svc.Viewer, id, name string) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".*.tmp")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if err := errors.Join(s.calendar.WriteStream(tx, v, id, f), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

func (c *cli) calendarTrash() *cobra.Command {
	return c.memberCommand("trash MEMBER", "List what was deleted in the last 30 days", cobra.ExactArgs(1),
		func(ctx context.Context, s *server, by identity.Actor, args []string) error {
			v, err := s.asMember(ctx, by, args[0])
			if err != nil {
				return err
			}
			var all svc.List[calendar.Trashed]
			err = s.db.Read(ctx, func(tx *store.Tx) error {
				for cursor := ""; ; {
					page, err := s.calendar.Trash(tx, v, svc.MaxLimit, cursor)
					if err != nil {
						return err
					}
					all = append(all, page.Trash...)
					if page.Page.NextCursor == nil {
						return nil
					}
					cursor = *page.Page.NextCursor
				}
			})
			if err != nil {
				return err
			}
			return c.print(all, func(w io.Writer) {
				table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
				fmt.Fprintln(table, "ID\tTYPE\tTITLE\tCALENDAR\tDELETED\tGONE FOR GOOD")
				for _, t := range all {
					fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", t.ID, t.ObjectType, t.Title, t.CalendarName, t.DeletedAt.Format(time.RFC3339), t.ExpiresAt.Format(time.RFC3339))
				}
				table.Flush()
			})
		})
}

func (c *cli) calendarRestore() *cobra.Command {
	return c.memberCommand("restore MEMBER ID", "Bring back an entry, or a calendar with everything in it", cobra.ExactArgs(2),
		func(ctx context.Context, s *server, by identity.Actor, args []string) error {
			v, err := s.asMember(ctx, by, args[0])
			if err != nil {
				return err
			}
			var title string
			err = s.db.Write(ctx, func(tx *store.Tx) error {
				o, cal, err := s.calendar.Restore(tx, v, args[1], "")
				switch {
				case o != nil:
					title = o.Title
				case cal != nil:
					title = cal.Name
				}
				return err
			})
			if err != nil {
				return err
			}
			return c.print(map[string]string{"id": args[1], "title": title}, func(w io.Writer) {
				fmt.Fprintf(w, "%s is back.\n", title)
			})
		})
}
