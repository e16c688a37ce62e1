package cli

import (
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
	cmd := &cobra.Command{
		Use:   "add ID",
		Short: "Add a provider and acquire its objects",
		Long: "Add a third-party service whose objects and actions members see. ID must be the id in its payloads. Requests to the\n" +
			"service are signed with a secret: the command creates one and prints it, or reads the service's own from standard\n" +
			"input. See appliance help providers.",
		RunE: c.runWithApp(func(ctx context.Context, a *app.App, args []string) error {
			r.ID = args[0]
			if r.Label == "" {
				r.Label = r.ID
			}
			return c.addProvider(ctx, a, r, secretStdin)
		}),
	}
	cmd.Flags().StringVar(&r.Label, "label", "", "`Name` of the provider, as members see it. The default is ID.")
	cmd.Flags().StringVar(&r.SourceURL, "source-url", "", "`URL` to which requests for the payload are sent.")
	cmd.Flags().StringVar(&r.ActionURL, "action-url", "", "`URL` to which commands are sent. Without it, members cannot perform the actions.")
	cmd.Flags().BoolVar(&secretStdin, "secret-stdin", false, "Read the secret (whsec_…) from standard input.")
	cmd.Flags().DurationVar(&r.Interval, "every", 15*time.Minute, "`Time` between two acquisitions while the server runs; 0 for none.")
	_ = cmd.MarkFlagRequired("source-url")
	return cmd
}

// addProvider registers a provider and acquires its payload. If only the latter fails,
// the provider stays registered.
func (c *cli) addProvider(ctx context.Context, a *app.App, r provider.Registration, secretStdin bool) (err error) {
	created := ""
	if secretStdin {
		text, err := c.stdin.ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if r.Secret, err = transport.ParseSecret(strings.TrimSpace(text)); err != nil {
			return usageError{err}
		}
	} else {
		r.Secret = transport.NewSecret()
		created = transport.FormatSecret(r.Secret)
	}
	if err := a.DB.Write(ctx, func(tx *store.Tx) error { return a.Providers.Add(tx, r) }); err != nil {
		return err
	}
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
			text += fmt.Sprintf("\n  %s: %s", f.Pointer, f.Message)
		}
		return errors.New(text)
	}
	return err
}

// describeCounts describes the records of a payload in one line.
func describeCounts(n provider.Counts) string {
	return fmt.Sprintf("%d objects, %d actions, %d collections, %d resources, %d relationships; %d objects are gone",
		n.Objects, n.Actions, n.Collections, n.Resources, n.Relationships, n.Retired)
}

// providerLine is a provider in the list.
type providerLine struct {
	ID          string     `json:"id"`
	Label       string     `json:"label"`
	SourceURL   string     `json:"source_url"`
	ActionURL   string     `json:"action_url"`
	EverySecond int        `json:"every_seconds"`
	AcquiredAt  *time.Time `json:"acquired_at"`
	AttemptedAt *time.Time `json:"attempted_at"`
	Failure     string     `json:"failure"`
}

func (c *cli) providerList() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the providers and the results of their last acquisitions",
		RunE: c.runWithApp(func(ctx context.Context, a *app.App, _ []string) error {
			var list []provider.Provider
			err := a.DB.Read(ctx, func(tx *store.Tx) (err error) {
				list, err = a.Providers.Providers(tx)
				return err
			})
			if err != nil {
				return err
			}
			lines := make([]providerLine, len(list))
			for i, p := range list {
				lines[i] = providerLine{p.ID, p.Label, p.SourceURL, p.ActionURL, int(p.Interval / time.Second), optionalTime(p.AcquiredAt), optionalTime(p.AttemptedAt), p.Failure}
			}
			return c.print(map[string]any{"providers": lines}, func(w io.Writer) { printProviders(w, list) })
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

func printProviders(w io.Writer, list []provider.Provider) {
	if len(list) == 0 {
		fmt.Fprintln(w, "There are no providers. Add one with appliance provider add.")
		return
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "ID\tLABEL\tEVERY\tACQUIRED\tSTATE")
	for _, p := range list {
		acquired, state := "never", "ready"
		if !p.AcquiredAt.IsZero() {
			acquired = p.AcquiredAt.Local().Format("2006-01-02 15:04")
		}
		if p.Failure != "" {
			state = p.Failure
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", p.ID, p.Label, p.Interval, acquired, state)
	}
	t.Flush()
}

func (c *cli) providerSync() *cobra.Command {
	return &cobra.Command{
		Use:   "sync ID",
		Short: "Acquire the objects of a provider now",
		RunE: c.runWithApp(func(ctx context.Context, a *app.App, args []string) error {
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
			if err := a.DB.Write(ctx, func(tx *store.Tx) error { return a.Providers.Remove(tx, args[0]) }); err != nil {
				return err
			}
			if err := a.SweepProviders(ctx); err != nil {
				return err
			}
			return c.print(map[string]string{"id": args[0], "status": "removed"}, func(w io.Writer) { fmt.Fprintf(w, "Removed %s.\n", args[0]) })
		}),
	}
}
