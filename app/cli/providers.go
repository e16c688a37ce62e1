package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"appliance/app"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/provider"
	"appliance/svc/provider/feeds"
	"appliance/svc/provider/transport"

	"github.com/spf13/cobra"
)

func (c *cli) providerCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "provider",
		Short: "Administer providers: services whose objects and actions members see",
	}
	cmd.AddCommand(c.providerAdd(), c.providerCheck(), c.providerList(), c.providerSync(), c.providerRemove())
	return cmd
}

func (c *cli) providerAdd() *cobra.Command {
	var r provider.Registration
	var secretStdin bool
	var addresses []string
	cmd := &cobra.Command{
		Use:   "add ID",
		Short: "Add a provider and acquire its objects",
		Long: "Add a third-party service whose objects and actions members see. ID must be the id in its payloads. Requests to the\n" +
			"service are signed with a secret: the command creates one and prints it, or reads the service's own from standard\n" +
			"input. See appliance help providers.\n\n" +
			"With --feed, the articles of RSS, Atom and JSON feeds become objects, and the program itself is the provider.",
		RunE: c.runWithApp(func(ctx context.Context, a *app.App, args []string) error {
			r.ID = args[0]
			if r.Label == "" {
				r.Label = r.ID
			}
			switch hasFeeds := len(addresses) > 0; {
			case hasFeeds == (r.SourceURL != ""):
				return usageError{errors.New("name either --source-url or --feed")}
			case hasFeeds && (r.ActionURL != "" || secretStdin):
				return usageError{errors.New("--feed needs neither --action-url nor --secret-stdin")}
			case hasFeeds:
				return c.addFeeds(ctx, a, r, addresses)
			}
			return c.addProvider(ctx, a, r, secretStdin)
		}),
	}
	cmd.Flags().StringVar(&r.Label, "label", "", "`Name` of the provider, as members see it. The default is ID.")
	cmd.Flags().StringVar(&r.SourceURL, "source-url", "", "`URL` to which requests for the payload are sent.")
	cmd.Flags().StringVar(&r.ActionURL, "action-url", "", "`URL` to which commands are sent. Without it, members cannot perform the actions.")
	cmd.Flags().BoolVar(&secretStdin, "secret-stdin", false, "Read the secret (whsec_…) from standard input.")
	cmd.Flags().DurationVar(&r.Interval, "every", 15*time.Minute, "`Time` between two acquisitions while the server runs; 0 for none.")
	cmd.Flags().StringArrayVar(&addresses, "feed", nil, "`URL` of a feed whose articles members see, instead of --source-url. May be repeated.")
	return cmd
}

// addProvider registers a provider and acquires its payload. If only the latter fails,
// the provider stays registered.
func (c *cli) addProvider(ctx context.Context, a *app.App, r provider.Registration, secretStdin bool) (err error) {
	created := ""
	if secretStdin {
		if r.Secret, err = c.readSecret(); err != nil {
			return err
		}
	} else {
		r.Secret = transport.NewSecret()
		created = transport.FormatSecret(r.Secret)
	}
	if err := a.DB.Write(ctx, func(tx *store.Tx) error { return a.Providers.Add(tx, r) }); err != nil {
		return err
	}
	return c.acquireAdded(ctx, a, r, created)
}

// readSecret reads the secret of a provider from standard input.
func (c *cli) readSecret() ([]byte, error) {
	text, err := c.stdin.ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	secret, err := transport.ParseSecret(text)
	if err != nil {
		return nil, usageError{err}
	}
	return secret, nil
}

// acquireAdded acquires the payload of a provider that was just registered, and prints the
// result. created is the text of its secret, if the command created it.
func (c *cli) acquireAdded(ctx context.Context, a *app.App, r provider.Registration, created string) error {
	counts, err := a.Providers.Acquire(ctx, r.ID, nil)
	result := struct {
		ID     string           `json:"id"`
		Secret string           `json:"secret,omitzero"` // if the command created it
		Counts *provider.Counts `json:"counts"`          // null if the payload could not be acquired
	}{r.ID, created, nil}
	if err == nil {
		result.Counts = &counts
	}
	printed := c.print(result, func(w io.Writer) {
		fmt.Fprintf(w, "Added %s.\n", r.ID)
		if created != "" {
			fmt.Fprintf(w, "Secret for the provider, shown only now: %s\n", created)
		}
		if err == nil {
			fmt.Fprintln(w, describeCounts(counts))
		}
	})
	if err != nil {
		c.printMessage("The provider is registered, but its objects could not be acquired. Correct the cause and run appliance provider sync %s.", r.ID)
	}
	return errors.Join(printed, acquisitionError(err))
}

// acquisitionError returns the error of an acquisition for the operator. The problems of
// a payload are not mistakes in the command line.
func acquisitionError(err error) error {
	if e, ok := errors.AsType[*svc.Error](err); ok && e.Code == svc.ProviderRejected {
		text := e.Message
		for _, f := range e.Fields {
			text += "\n  " + strings.TrimPrefix(f.Pointer+": ", ": ") + f.Message
		}
		return errors.New(text)
	}
	return err
}

// describeCounts describes the records of a payload in one line.
func describeCounts(n provider.Counts) string {
	text := strings.Join([]string{
		formatCount(n.Objects, "object"), formatCount(n.Actions, "action"), formatCount(n.Collections, "collection"),
		formatCount(n.Resources, "resource"), formatCount(n.Relationships, "relationship"),
	}, ", ")
	if n.Retired > 0 {
		text += "; no longer published: " + formatCount(n.Retired, "object")
	}
	return text
}

// providerLine is a provider in the list.
type providerLine struct {
	ID          string     `json:"id"`
	Label       string     `json:"label"`
	SourceURL   string     `json:"source_url,omitzero"` // "" for feeds
	ActionURL   string     `json:"action_url,omitzero"`
	EverySecond int        `json:"every_seconds"`
	AcquiredAt  *time.Time `json:"acquired_at"`
	AttemptedAt *time.Time `json:"attempted_at"`
	Failure     string     `json:"failure"`
	Feeds       []feedLine `json:"feeds,omitzero"`
}

func (c *cli) providerList() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the providers and the results of their last acquisitions",
		RunE: c.runWithApp(func(ctx context.Context, a *app.App, _ []string) error {
			var lines []providerLine
			err := a.DB.Read(ctx, func(tx *store.Tx) (err error) {
				lines, err = providerLines(tx, a)
				return err
			})
			if err != nil {
				return err
			}
			return c.print(map[string]any{"providers": lines}, func(w io.Writer) { printProviders(w, lines) })
		}),
	}
}

// optionalTime returns nil for the zero time.
func optionalTime(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// providerLines returns all providers with their feeds.
func providerLines(tx *store.Tx, a *app.App) ([]providerLine, error) {
	list, err := a.Providers.Providers(tx)
	lines := make([]providerLine, len(list))
	for i, p := range list {
		lines[i] = providerLine{p.ID, p.Label, p.SourceURL, p.ActionURL, int(p.Interval / time.Second), optionalTime(p.AcquiredAt), optionalTime(p.AttemptedAt), p.Failure, nil}
		if feeds.IsAddress(p.SourceURL) {
			lines[i].SourceURL, lines[i].ActionURL = "", ""
			if lines[i].Feeds, err = feedLines(tx, a, p.ID); err != nil {
				return nil, err
			}
		}
	}
	return lines, err
}

func printProviders(w io.Writer, list []providerLine) {
	if len(list) == 0 {
		fmt.Fprintln(w, "There are no providers. Add one with appliance provider add.")
		return
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "ID\tLABEL\tEVERY\tACQUIRED\tSTATE")
	for _, p := range list {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", p.ID, p.Label, time.Duration(p.EverySecond)*time.Second, localTime(p.AcquiredAt), cmp.Or(p.Failure, "ready"))
		for _, f := range p.Feeds {
			fmt.Fprintf(t, "  %s\t%s\t\t%s\t%s\n", f.URL, f.Title, localTime(&f.FetchedAt), cmp.Or(f.Failure, "ready"))
		}
	}
	t.Flush()
}

// localTime returns a time in the zone of the machine, "never" for nil.
func localTime(t *time.Time) string {
	if t == nil {
		return "never"
	}
	return t.Local().Format("2006-01-02 15:04")
}

func (c *cli) providerSync() *cobra.Command {
	return &cobra.Command{
		Use:   "sync ID",
		Short: "Acquire the objects of a provider now",
		RunE: c.runWithApp(func(ctx context.Context, a *app.App, args []string) error {
			if err := a.DB.Write(ctx, func(tx *store.Tx) error { return a.Feeds.Refresh(tx, args[0]) }); err != nil {
				return err
			}
			counts, err := a.Providers.Acquire(ctx, args[0], nil)
			if err != nil {
				return acquisitionError(err)
			}
			return c.print(struct {
				ID     string          `json:"id"`
				Counts provider.Counts `json:"counts"`
			}{args[0], counts}, func(w io.Writer) { fmt.Fprintf(w, "%s: %s\n", args[0], describeCounts(counts)) })
		}),
	}
}

func (c *cli) providerRemove() *cobra.Command {
	return &cobra.Command{
		Use:   "remove ID",
		Short: "Remove a provider with its objects",
		RunE: c.runWithApp(func(ctx context.Context, a *app.App, args []string) error {
			err := a.DB.Write(ctx, func(tx *store.Tx) error {
				return errors.Join(a.Providers.Remove(tx, args[0]), a.Feeds.Remove(tx, args[0]))
			})
			if err != nil {
				return err
			}
			if err := a.SweepProviders(ctx); err != nil {
				return err
			}
			return c.print(map[string]string{"id": args[0], "status": "removed"}, func(w io.Writer) { fmt.Fprintf(w, "Removed %s.\n", args[0]) })
		}),
	}
}
