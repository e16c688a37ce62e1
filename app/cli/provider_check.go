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
	"appliance/svc/provider/transport"

	"github.com/spf13/cobra"
)

func (c *cli) providerCheck() *cobra.Command {
	var id string
	var secretStdin bool
	cmd := &cobra.Command{
		Use:   "check FILE|URL",
		Short: "Check the payload of a provider, or a result of an action",
		Long: "Check a payload as the server does, and print its problems, or what members would see. FILE can be - for standard\n" +
			"input; it can also contain a result, the answer of a provider to a command. A URL gets the request of the server,\n" +
			"signed only with --secret-stdin. Nothing is stored, and the provider need not be registered. The exit status is 1 if\n" +
			"the server would reject the payload. See appliance help providers.",
		Example: "  appliance provider check payload.json\n  appliance provider check http://127.0.0.1:8000/source --secret-stdin < secret",
		RunE: func(cmd *cobra.Command, args []string) error {
			var secret []byte
			if secretStdin {
				if !isURL(args[0]) {
					return usageError{errors.New("--secret-stdin needs a URL: only requests are signed")}
				}
				var err error
				if secret, err = c.readSecret(); err != nil {
					return err
				}
			}
			data, err := c.readPayload(cmd.Context(), args[0], secret)
			if err != nil {
				return err
			}
			report := checkDocument(data, id)
			if err := c.print(report, func(w io.Writer) { printPayloadReport(w, report) }); err != nil {
				return err
			}
			if !report.Valid {
				kind := "payload"
				if report.Result {
					kind = "result"
				}
				return fmt.Errorf("%s: the %s has %s", args[0], kind, formatCount(report.Total, "problem"))
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&id, "id", "", "`ID` with which the provider is registered. The default is the id in the payload.")
	cmd.Flags().BoolVar(&secretStdin, "secret-stdin", false, "Sign the request with the secret (whsec_…) from standard input.")
	return cmd
}

func isURL(name string) bool {
	return strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://")
}

// readPayload reads the payload at a URL, in a file or, for -, from standard input. It
// reads at most one byte more than the limit. secret signs the request, nil for none.
func (c *cli) readPayload(ctx context.Context, name string, secret []byte) ([]byte, error) {
	if isURL(name) {
		return fetchPayload(ctx, name, secret)
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
func fetchPayload(ctx context.Context, address string, secret []byte) ([]byte, error) {
	policy, err := outbound.Configured(address)
	if err != nil {
		return nil, usageError{err}
	}
	client := outbound.New(policy, outbound.Options{UserAgent: "appliance/" + app.Version(), Timeout: 30 * time.Second, MaxBody: contract.MaxSource})
	body := []byte("{}")
	header := transport.Header(secret, svc.NewID("req"), app.SystemTime(), body)
	r, err := client.Post(ctx, address, header, body)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", address, err)
	}
	if r.Status == http.StatusUnauthorized && secret == nil {
		return nil, fmt.Errorf("%s responded with status 401: if it verifies signatures, use --secret-stdin", address)
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
	Result   bool               `json:"result,omitzero"` // whether the document is the result of an action
	Problems []contract.Problem `json:"problems"`        // the first ones
	Total    int                `json:"total"`           // of all problems
	Counts   map[string]int     `json:"counts"`          // items of each section; empty if the payload is not valid

	source *contract.Source // nil if the payload is not valid
}

// checkDocument checks a document: a result of an action if its contract says so, otherwise a
// payload. id is as for [checkPayload].
func checkDocument(data []byte, id string) payloadReport {
	var result struct {
		Contract contract.Contract `json:"contract"`
	}
	if json.Unmarshal(data, &result) == nil && result.Contract.Name == contract.ResultContract.Name {
		return checkResult(data)
	}
	return checkPayload(data, id)
}

// checkResult checks a result without its command: it takes the values that both must
// have in common from the result.
func checkResult(data []byte) payloadReport {
	var command contract.Command
	_ = json.Unmarshal(data, &command) // ParseResult describes the error
	report := payloadReport{Valid: true, Provider: command.Provider, Result: true, Problems: []contract.Problem{}, Counts: map[string]int{}}
	_, err := contract.ParseResult(data, &command)
	if r, ok := errors.AsType[*contract.Rejection](err); ok {
		report.Valid, report.Problems, report.Total = false, r.Problems, r.Total
	}
	return report
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

// maxReportedObjects limits the objects that the report lists.
const maxReportedObjects = 10

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
			fmt.Fprintf(t, "\tand %s\n", formatCount(more, "further problem"))
		}
		return
	}
	if r.Result {
		fmt.Fprintf(w, "The result of %s is valid. The server also checks that it repeats the values of its command.\n", r.Provider)
		return
	}
	s := r.source
	fmt.Fprintf(w, "The payload of %s (%s) is valid: %s, %s, %s, %s, %s, %s.\n", s.Provider.Label, s.Provider.ID,
		formatCount(len(s.Objects.Items), "object"), formatCount(len(s.Relationships.Items), "relationship"), formatCount(len(s.Actions.Items), "action"),
		formatCount(len(s.Collections.Items), "collection"), formatCount(len(s.Resources.Items), "resource"), formatCount(len(s.Extensions.Items), "extension"))
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
		if i == maxReportedObjects {
			fmt.Fprintf(t, "and %s\n", formatCount(len(s.Objects.Items)-maxReportedObjects, "further object"))
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
	return formatCount(len(v.Members), "member")
}

// describeActions lists the actions of an object, each with the reason if it cannot be
// performed.
func describeActions(ids []string, actions map[string]contract.Action) string {
	var list []string
	for _, id := range ids {
		a := actions[id]
		label := svc.SingleLine(a.Label, svc.MaxName)
		switch {
		case a.Availability != contract.Enabled:
			list = append(list, label+" ("+string(a.Availability)+")")
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

// formatCount returns a number with its noun.
func formatCount(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
