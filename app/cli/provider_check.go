package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"appliance/app"
	"appliance/svc"
	"appliance/svc/outbound"
	"appliance/svc/provider/contract"

	"github.com/spf13/cobra"
)

func (c *cli) providerCheck() *cobra.Command {
	var id string
	cmd := &cobra.Command{
		Use:   "check FILE|URL",
		Short: "Check the payload of a provider",
		Long: "Check a payload as the server does, and print its problems, or what members would see. FILE can be - for standard\n" +
			"input. A URL gets the request of the server, without a signature. Nothing is stored, and the provider need not be\n" +
			"registered. The exit status is 1 if the server would reject the payload. See appliance help providers.",
		Example: "  appliance provider check payload.json\n  appliance provider check http://127.0.0.1:8000/source",
		RunE: func(cmd *cobra.Command, args []string) error {
			data, err := c.readPayload(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			report := checkPayload(data, id)
			if err := c.print(report, func(w io.Writer) { printPayloadReport(w, report) }); err != nil {
				return err
			}
			if !report.Valid {
				return fmt.Errorf("%s: the payload has %s", args[0], plural(report.Total, "problem"))
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&id, "id", "", "`ID` with which the provider is registered. The default is the id in the payload.")
	return cmd
}

// readPayload reads the payload at a URL, in a file or, for -, from standard input. It
// reads at most one byte more than the limit.
func (c *cli) readPayload(ctx context.Context, name string) ([]byte, error) {
	if strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://") {
		return fetchPayload(ctx, name)
	}
	var r io.Reader = c.stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		r = f
	}
	return io.ReadAll(io.LimitReader(r, contract.MaxSource+1))
}

// fetchPayload requests the payload at a URL.
func fetchPayload(ctx context.Context, address string) ([]byte, error) {
	policy, err := outbound.Configured(address)
	if err != nil {
		return nil, usageError{err}
	}
	client := outbound.New(policy, outbound.Options{UserAgent: "appliance/" + app.Version(), Timeout: 30 * time.Second, MaxBody: contract.MaxSource})
	r, err := client.Post(ctx, address, http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json"}}, []byte("{}"))
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", address, err)
	}
	if r.Status < 200 || r.Status > 299 {
		return nil, fmt.Errorf("%s responded with status %d; the server needs 200 and the payload", address, r.Status)
	}
	return r.Body, nil
}

// payloadReport is the result of a check.
type payloadReport struct {
	Valid    bool               `json:"valid"`
	Provider string             `json:"provider"`
	Problems []contract.Problem `json:"problems"` // the first ones
	Total    int                `json:"total"`    // of all problems
	Counts   map[string]int     `json:"counts"`   // items of each section; empty if the payload is not valid

	source *contract.Source // nil if the payload is not valid
}

// checkPayload checks a payload. id is that of the registration, "" for that of the
// payload.
func checkPayload(data []byte, id string) payloadReport {
	if id == "" {
		var payload struct {
			Provider struct {
				ID string `json:"id"`
			} `json:"provider"`
		}
		_ = json.Unmarshal(data, &payload) // ParseSource describes the error
		id = payload.Provider.ID
	}
	report := payloadReport{Provider: id, Problems: []contract.Problem{}, Counts: map[string]int{}}
	s, err := contract.ParseSource(data, id)
	if r, ok := errors.AsType[*contract.Rejection](err); ok {
		report.Problems, report.Total = r.Problems, r.Total
		return report
	}
	report.Valid, report.source = true, s
	report.Counts = map[string]int{
		"objects": len(s.Objects.Items), "relationships": len(s.Relationships.Items), "actions": len(s.Actions.Items),
		"collections": len(s.Collections.Items), "resources": len(s.Resources.Items), "extensions": len(s.Extensions.Items),
	}
	return report
}

// maxShown limits the objects that the report shows.
const maxShown = 10

func printPayloadReport(w io.Writer, r payloadReport) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	defer t.Flush()
	if !r.Valid {
		fmt.Fprintln(t, "AT\tPROBLEM")
		for _, p := range r.Problems {
			at := svc.SingleLine(p.Pointer, 200) // its keys may contain control characters
			if at == "" {
				at = "-"
			}
			fmt.Fprintf(t, "%s\t%s\n", at, p.Message)
		}
		if more := r.Total - len(r.Problems); more > 0 {
			fmt.Fprintf(t, "\tand %s\n", plural(more, "further problem"))
		}
		return
	}
	s := r.source
	fmt.Fprintf(w, "The payload of %s (%s) is valid: %s, %s, %s, %s, %s, %s.\n", s.Provider.Label, s.Provider.ID,
		plural(len(s.Objects.Items), "object"), plural(len(s.Relationships.Items), "relationship"), plural(len(s.Actions.Items), "action"),
		plural(len(s.Collections.Items), "collection"), plural(len(s.Resources.Items), "resource"), plural(len(s.Extensions.Items), "extension"))
	if len(s.Objects.Items) == 0 {
		return
	}
	actions := make(map[string]contract.Action)
	for _, a := range s.Actions.Items {
		actions[a.ID] = a
	}
	fmt.Fprintln(w)
	fmt.Fprintln(t, "TYPE\tTITLE\tVISIBLE TO\tACTIONS")
	for i, o := range s.Objects.Items {
		if i == maxShown {
			fmt.Fprintf(t, "and %s\n", plural(len(s.Objects.Items)-maxShown, "further object"))
			break
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", o.Type, svc.SingleLine(o.Title, svc.MaxName), describeVisibility(o.Visibility), describeActions(o.Actions, actions))
	}
}

func describeVisibility(v contract.Visibility) string {
	switch v.Group {
	case contract.AllMembers:
		return "all members"
	case contract.Operators:
		return "operators"
	}
	return plural(len(v.Members), "member")
}

// describeActions lists the actions of an object, with the reason why one cannot be
// performed.
func describeActions(ids []string, actions map[string]contract.Action) string {
	var list []string
	for _, id := range ids {
		a := actions[id]
		label := svc.SingleLine(a.Label, svc.MaxName)
		switch {
		case a.Availability != contract.Enabled:
			list = append(list, label+" ("+a.Availability+")")
		case a.Operation == nil || a.Operation.Operation == "":
			list = append(list, label+" (no operation)")
		default:
			list = append(list, label)
		}
	}
	if len(list) == 0 {
		return "-"
	}
	return strings.Join(list, ", ")
}

// plural returns a number with its noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
