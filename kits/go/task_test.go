package agent_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	agent "github.com/crosszone/crosszone/kits/go"
)

func TestSameMessageRunsTheHandlerOnce(t *testing.T) {
	var runs atomic.Int64
	c := clientOf(t, func(context.Context, agent.Message, *agent.Task) (string, error) {
		return fmt.Sprint(runs.Add(1)), nil
	})
	first := c.send("go", object{"messageId": "same"}, nil)
	equal(t, first, c.send("go", object{"messageId": "same"}, nil))
	equal(t, 1, runs.Load())
}

func TestClientThatGoesAwayDoesNotCancelItsTask(t *testing.T) {
	mayEnd := make(chan struct{})
	c := clientOf(t, func(ctx context.Context, _ agent.Message, _ *agent.Task) (string, error) {
		<-mayEnd
		return fmt.Sprint(ctx.Err()), nil
	})
	ctx, leave := context.WithCancel(context.Background())
	body := encode(object{"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": paramsOf("go", nil, nil)})
	request, _ := http.NewRequestWithContext(ctx, http.MethodPost, c.url, strings.NewReader(string(body)))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("A2A-Version", "1.0")
	left := make(chan error, 1)
	go func() {
		_, err := http.DefaultClient.Do(request)
		left <- err
	}()
	var id any
	for id == nil {
		id = at(c.call("ListTasks", object{}), "result", "tasks", 0, "id")
	}
	leave()
	if <-left == nil {
		t.Error("The request was answered.")
	}
	close(mayEnd)
	equal(t, "<nil>", at(c.wait(id.(string), "COMPLETED"), "artifacts", 0, "parts", 0, "text"))
}

func TestOldestEndedTasksAreDroppedAndANewOneIsRefusedWhenAllWork(t *testing.T) {
	mayEnd := make(chan struct{})
	c := clientOf(t, func(_ context.Context, m agent.Message, _ *agent.Task) (string, error) {
		if m.Text == "slow" {
			<-mayEnd
		}
		return "", nil
	}, agent.Options{MaxTasks: 2})
	defer close(mayEnd)
	first := c.send("first", nil, nil)
	for range 2 {
		c.send("slow", nil, object{"returnImmediately": true})
	}
	equal(t, -32001, at(c.call("GetTask", object{"id": first["id"]}), "error", "code"))
	status, refused := c.post(encode(object{"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": paramsOf("more", nil, nil)}))
	equal(t, []any{503, -32000}, []any{status, at(refused, "error", "code")})
}

func TestTasksAndQuestionsThatTakeTooLongFail(t *testing.T) {
	options := agent.Options{TaskTimeout: time.Millisecond, QuestionTimeout: time.Millisecond}
	c := clientOf(t, func(ctx context.Context, m agent.Message, task *agent.Task) (string, error) {
		if m.Text == "ask" {
			_, err := task.Ask("Well?")
			return "", err
		}
		<-ctx.Done()
		return "", ctx.Err()
	}, options)
	for text, problem := range map[string]string{"work": "The agent took too long.", "ask": "The question was not answered in time."} {
		task := c.send(text, nil, object{"returnImmediately": true})
		equal(t, problem, at(c.wait(task["id"].(string), "FAILED"), "status", "message", "parts", 0, "text"))
	}
}

func TestAllStreamsOfATaskGetTheSameEvents(t *testing.T) {
	subscribed := make(chan struct{})
	c := clientOf(t, func(_ context.Context, _ agent.Message, task *agent.Task) (string, error) {
		<-subscribed
		for at := range 5 {
			task.Write(fmt.Sprint(at))
			time.Sleep(10 * time.Millisecond)
		}
		return "", nil
	})
	first := c.events("SendStreamingMessage", paramsOf("go", nil, nil))
	id := at(first(), "task", "id")
	second := c.events("SubscribeToTask", object{"id": id})
	equal(t, id, at(second(), "task", "id"))
	close(subscribed)
	equal(t, rest(first), rest(second))
	equal(t, -32004, at(c.call("SubscribeToTask", object{"id": id}), "error", "code"))
}

func TestReaderThatFallsBehindGetsTheWholeAnswer(t *testing.T) {
	began, mayWrite := make(chan struct{}), make(chan struct{})
	c := clientOf(t, func(_ context.Context, _ agent.Message, task *agent.Task) (string, error) {
		task.Write("the ")
		close(began)
		<-mayWrite
		for at := range 5000 {
			task.Progress(fmt.Sprint(at))
		}
		return "answer", nil
	})
	next := c.events("SendStreamingMessage", paramsOf("go", nil, nil))
	<-began
	equal(t, "TASK_STATE_WORKING", at(next(), "task", "status", "state"))
	equal(t, "the ", at(next(), "artifactUpdate", "artifact", "parts", 0, "text"))
	close(mayWrite)
	events := rest(next)
	if len(events) > 4000 {
		t.Errorf("The stream has %d events.", len(events))
	}
	equal(t, "TASK_STATE_COMPLETED", at(events[len(events)-1], "statusUpdate", "status", "state"))
	text, wholes := "", 0
	for _, event := range events {
		piece, _ := at(event, "artifactUpdate", "artifact", "parts", 0, "text").(string)
		if at(event, "artifactUpdate", "append") == nil && piece != "" {
			text, wholes = "", wholes+1
		}
		text += piece
	}
	equal(t, "the answer", text)
	if wholes == 0 {
		t.Error("The reader never fell behind.")
	}
}

func TestAnswerHasALargestSize(t *testing.T) {
	c := clientOf(t, func(ctx context.Context, _ agent.Message, task *agent.Task) (string, error) {
		for ctx.Err() == nil {
			task.Write(strings.Repeat("x", 1_000_000))
		}
		return "", ctx.Err()
	})
	said, _ := at(c.send("go", nil, nil), "status", "message", "parts", 0, "text").(string)
	if !strings.Contains(said, "The answer is larger than") {
		t.Errorf("got %q", said)
	}
}

func TestTasksAreListedNewestFirstInPages(t *testing.T) {
	c := clientOf(t, saying("hi"))
	made := []any{}
	for range 3 {
		made = append([]any{c.send("go", object{"contextId": "c"}, nil)["id"]}, made...)
	}
	c.send("elsewhere", nil, nil)
	page := c.call("ListTasks", object{"contextId": "c", "pageSize": 2})["result"]
	last := c.call("ListTasks", object{"contextId": "c", "pageSize": 2, "pageToken": at(page, "nextPageToken")})["result"]
	equal(t, made, []any{at(page, "tasks", 0, "id"), at(page, "tasks", 1, "id"), at(last, "tasks", 0, "id")})
	equal(t, []any{"", 3, 2}, []any{at(last, "nextPageToken"), at(last, "totalSize"), at(last, "pageSize")})
	equal(t, nil, at(page, "tasks", 0, "artifacts"))
	equal(t, -32602, at(c.call("ListTasks", object{"pageToken": "!"}), "error", "code"))
}
