package com.example;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.a2a.A2A;
import io.a2a.client.*;
import io.a2a.client.config.ClientConfig;
import io.a2a.client.http.*;
import io.a2a.client.transport.jsonrpc.*;
import io.a2a.client.transport.spi.interceptors.auth.AuthInterceptor;
import io.a2a.spec.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.function.*;
import java.util.stream.Collectors;

/** Calls every operation of a zone's agents with the official client for Java, and prints what it got as JSON. */
public class AskZone {
    interface Following {
        void start(List<BiConsumer<ClientEvent, AgentCard>> onEvent, Consumer<Throwable> onError) throws Exception;
    }

    private static Client connect(String url, ClientConfig.Builder config) throws Exception {
        Map<String, String> headers = Map.of("Authorization", "Bearer ci");
        // Its default is at the root of the host.
        String path = ".well-known/agent-card.json";
        AgentCard card = new A2ACardResolver(new JdkA2AHttpClient(), url, path, headers).getAgentCard();
        // Puts the token where the card's security scheme says.
        var transport = new JSONRPCTransportConfigBuilder().addInterceptor(new AuthInterceptor((scheme, context) -> "ci"));
        return Client.builder(card).clientConfig(config.build()).withTransport(JSONRPCTransport.class, transport).build();
    }

    /** Returns the task as it was after each event until its end. Calls `onFirst` after the first of them. */
    private static List<Task> follow(Following call, Callable<?> onFirst) throws Exception {
        List<Task> tasks = new ArrayList<>();
        CompletableFuture<List<Task>> ended = new CompletableFuture<>();
        BiConsumer<ClientEvent, AgentCard> onEvent = (event, card) -> {
            Task task = event instanceof TaskEvent one ? one.getTask() : ((TaskUpdateEvent) event).getTask();
            tasks.add(task);
            if (tasks.size() == 1) ForkJoinPool.commonPool().submit(onFirst);
            if (task.getStatus().state().isFinal()) ended.complete(tasks);
        };
        // The end of the stream is no error.
        call.start(List.of(onEvent), error -> Optional.ofNullable(error).ifPresent(ended::completeExceptionally));
        return ended.get(60, TimeUnit.SECONDS);
    }

    private static Task send(Client client, Message message) throws Exception {
        List<Task> got = new ArrayList<>();
        client.sendMessage(message, List.of((event, card) -> got.add(((TaskEvent) event).getTask())), null);
        return got.get(0);
    }

    private static String textOf(Task task) {
        return task.getArtifacts().stream().flatMap(artifact -> artifact.parts().stream())
            .map(part -> ((TextPart) part).getText()).collect(Collectors.joining());
    }

    private static String stateOf(Task task) {
        return task.getStatus().state().asString();
    }

    public static void main(String[] args) throws Exception {
        Client echo = connect(args[0] + "echo/", ClientConfig.builder().setStreaming(false));
        Client polling = connect(args[0] + "echo/", ClientConfig.builder().setStreaming(false).setPolling(true));
        Client streaming = connect(args[0] + "echo/", ClientConfig.builder().setStreaming(true));
        Client asking = connect(args[0] + "asking/", ClientConfig.builder().setStreaming(false));
        Task asked = send(asking, A2A.toUserMessage("go"));
        Message reply = A2A.createUserTextMessage("it rains", asked.getContextId(), asked.getId());
        Message words = A2A.toUserMessage("stream");
        List<Task> streamed = follow((onEvent, onError) -> streaming.sendMessage(words, onEvent, onError), () -> null);
        String id = send(polling, A2A.toUserMessage("wait")).getId();
        TaskIdParams waiting = new TaskIdParams(id);
        List<Task> subscribed = follow(
            (onEvent, onError) -> streaming.resubscribe(waiting, onEvent, onError), () -> echo.cancelTask(waiting));
        PushNotificationConfig push = new PushNotificationConfig.Builder().url("https://example.com").build();
        Set<Integer> refusals = new TreeSet<>();
        for (Callable<?> call : List.<Callable<?>>of(
            () -> echo.setTaskPushNotificationConfiguration(new TaskPushNotificationConfig(id, push)),
            () -> echo.getTaskPushNotificationConfiguration(new GetTaskPushNotificationConfigParams(id)),
            () -> echo.listTaskPushNotificationConfigurations(new ListTaskPushNotificationConfigParams(id))))
            try {
                refusals.add(call.call() == null ? 0 : 1);
            } catch (A2AClientException refused) {
                refusals.add(((JSONRPCError) refused.getCause()).getCode());
            }
        System.out.println(new ObjectMapper().writeValueAsString(Map.of(
            "asked", stateOf(asked),
            "answered", textOf(send(asking, reply)),
            "got", stateOf(asking.getTask(new TaskQueryParams(asked.getId()))),
            "streamed", textOf(streamed.get(streamed.size() - 1)),
            "subscribed", subscribed.stream().map(AskZone::stateOf).collect(Collectors.joining(" ")),
            "canceled", stateOf(echo.getTask(new TaskQueryParams(id))),
            "card", echo.getAgentCard().description(),
            "push", refusals,
            "held", textOf(send(echo, A2A.toUserMessage("hold"))))));
        System.exit(0);
    }
}
