// Package agent serves an agent over A2A 1.0 and 0.3, with the standard library only.
//
//	agent.Serve(agent.Card{Name: "Word counter", Description: "Counts words."},
//		func(ctx context.Context, m agent.Message, t *agent.Task) (string, error) {
//			t.Progress("Counting…")
//			return fmt.Sprintf("%d words", len(strings.Fields(m.Text))), nil
//		})
package agent
