package agent_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	agent "github.com/crosszone/crosszone/kits/go"
)

type object = map[string]any

var ids atomic.Int64

// client sends requests as a client without a library does.
type client struct {
	t       *testing.T
	url     string
	headers map[string]string
}

func clientOf(t *testing.T, handler agent.Handler, options ...agent.Options) client {
	card := agent.Card{Name: "Tested", Description: "Is tested.", InputModes: []string{"text/*", "application/json"}}
	server := httptest.NewServer(agent.New(card, handler, options...))
	t.Cleanup(server.CloseClientConnections)
	return client{t, server.URL, map[string]string{"Content-Type": "application/json", "A2A-Version": "1.0"}}
}

func (c client) with(name, value string) client {
	headers := map[string]string{name: value}
	for known, each := range c.headers {
		if known != name {
			headers[known] = each
		}
	}
	c.headers = headers
	return c
}

func (c client) request(method, path string, body []byte) *http.Response {
	c.t.Helper()
	request, err := http.NewRequest(method, c.url+path, bytes.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	for name, value := range c.headers {
		request.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { response.Body.Close() })
	return response
}

func (c client) post(body []byte) (int, object) {
	response := c.request(http.MethodPost, "/", body)
	var answer object
	if text, _ := io.ReadAll(response.Body); len(text) > 0 {
		if err := json.Unmarshal(text, &answer); err != nil {
			c.t.Fatalf("%v: %s", err, text)
		}
	}
	return response.StatusCode, answer
}

func (c client) call(method string, params object) object {
	_, answer := c.post(encode(object{"jsonrpc": "2.0", "id": 1, "method": method, "params": params}))
	return answer
}

func (c client) send(text string, message, configuration object) object {
	c.t.Helper()
	answer := c.call("SendMessage", paramsOf(text, message, configuration))
	task, ok := at(answer, "result", "task").(object)
	if !ok {
		c.t.Fatalf("%v", answer)
	}
	return task
}

// events returns a function that reads the next event of a stream, nil at its end.
func (c client) events(method string, params object) func() object {
	lines := bufio.NewScanner(c.request(http.MethodPost, "/", encode(object{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})).Body)
	return func() object {
		for lines.Scan() {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				var event object
				if err := json.Unmarshal([]byte(data), &event); err != nil {
					c.t.Fatal(err)
				}
				return event["result"].(object)
			}
		}
		return nil
	}
}

func (c client) wait(id, state string) object {
	c.t.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); {
		task := c.call("GetTask", object{"id": id})["result"].(object)
		if at(task, "status", "state") == "TASK_STATE_"+state {
			return task
		}
	}
	c.t.Fatalf("The task is not %s.", state)
	return nil
}

func rest(next func() object) []object {
	events := []object{}
	for event := next(); event != nil; event = next() {
		events = append(events, event)
	}
	return events
}

func paramsOf(text string, message, configuration object) object {
	given := object{"messageId": fmt.Sprint("m", ids.Add(1)), "role": "ROLE_USER", "parts": []object{{"text": text}}}
	for name, value := range message {
		given[name] = value
	}
	return object{"message": given, "configuration": configuration}
}

func encode(value any) []byte {
	text, _ := json.Marshal(value)
	return text
}

// at returns the member at a path of names and indexes.
func at(value any, path ...any) any {
	for _, step := range path {
		switch name := step.(type) {
		case string:
			holder, _ := value.(object)
			value = holder[name]
		case int:
			list, _ := value.([]any)
			if name >= len(list) {
				return nil
			}
			value = list[name]
		}
	}
	return value
}

func equal(t *testing.T, wanted, got any) {
	t.Helper()
	if string(encode(wanted)) != string(encode(got)) {
		t.Errorf("wanted %s\ngot    %s", encode(wanted), encode(got))
	}
}

// saying returns a handler that answers every message with a text.
func saying(text string) agent.Handler {
	return func(context.Context, agent.Message, *agent.Task) (string, error) { return text, nil }
}
