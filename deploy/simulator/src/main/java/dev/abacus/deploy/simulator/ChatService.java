package dev.abacus.deploy.simulator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.simulator.InProcessModels.Timed;
import dev.abacus.deploy.simulator.answering.Answer;
import dev.abacus.deploy.simulator.answering.SimulatedModel;
import dev.abacus.deploy.simulator.answering.Task;
import dev.abacus.deploy.simulator.prompt.Prompt;
import dev.abacus.deploy.simulator.provider.FlexTier;
import dev.abacus.deploy.simulator.provider.Provider;
import dev.abacus.deploy.simulator.skill.KeyedRandom;
import dev.abacus.deploy.simulator.skill.ModelProfiles;
import dev.abacus.deploy.simulator.skill.ModelProfiles.ModelProfile;
import dev.abacus.deploy.simulator.skill.Skill;
import dev.abacus.deploy.simulator.tokens.Tokenizer;
import dev.abacus.deploy.simulator.wire.ApiException;
import dev.abacus.deploy.simulator.wire.ChatRequest;
import dev.abacus.deploy.simulator.wire.ChatResponse;
import dev.abacus.deploy.simulator.wire.ChatResponse.Usage;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Serves chat completions. */
final class ChatService implements ModelService {

  private static final List<String> SYSTEM = List.of("system", "developer");
  private static final List<String> USER = List.of("user", "tool", "function");
  private static final int TOKENS_PER_MESSAGE = 3;
  private static final int TOKENS_OF_REPLY = 3;
  private static final int TOKENS_PER_IMAGE = 85;

  private final ModelProfiles catalogue;
  private final SimulatedModel simulated;
  private final Tokenizer tokenizer;
  private final CallStatistics statistics;
  private final Clock clock;
  private final EndpointState state;
  private final PromptCache cache;

  /** Calls by the hash of their prompt. */
  private final Map<Long, Integer> prompts = new ConcurrentHashMap<>();

  private final AtomicLong ids = new AtomicLong();

  ChatService(
      ModelProfiles catalogue,
      SimulatedModel simulated,
      Tokenizer tokenizer,
      CallStatistics statistics,
      Clock clock,
      EndpointState state) {
    this.catalogue = catalogue;
    this.simulated = simulated;
    this.tokenizer = tokenizer;
    this.statistics = statistics;
    this.clock = clock;
    this.cache = new PromptCache(clock, tokenizer::count);
    this.state = state;
  }

  /**
   * Answers a request.
   *
   * @throws ApiException if the request is refused
   */
  @Override
  public Timed answer(ObjectNode json) {
    ChatRequest sent = ChatRequest.of(json);
    ModelProfile model = catalogue.chat(sent.model());
    if (model == null) {
      throw ApiException.unknownModel(sent.model());
    }
    int sentTokens = promptTokens(sent);
    ChatRequest request = fit(sent, sentTokens, model);
    int promptTokens = request.equals(sent) ? sentTokens : promptTokens(request);
    Skill skill = new Skill(catalogue.formula(), model);
    List<Answer> answers = answers(request, skill, promptTokens);
    String text = request.text(List.of("system", "developer", "user"));
    Usage usage =
        usage(
            request,
            skill,
            answers,
            promptTokens,
            provider().reportsTokenDetails()
                ? cache.cachedTokens(
                    new PromptCache.Prompt(
                        model.name(),
                        json.path("prompt_cache_key").asText(),
                        schema(request),
                        text,
                        promptTokens),
                    reading(skill, promptTokens))
                : 0);
    statistics.answered(model.name(), usage.prompt(), usage.cached(), usage.completion());
    boolean flex = model.flex() && FlexTier.isAsked(json);
    double usd =
        model.usd(usage.prompt(), usage.cached(), usage.completion()) * FlexTier.price(flex);
    double seconds =
        (skill.secondsToFirstToken(promptTokens)
                + usage.completion() * model.secondsPerOutputToken())
            * FlexTier.slowness(flex);
    String id = "chatcmpl-simulated-" + ids.incrementAndGet();
    ObjectNode response =
        ChatResponse.of(id, clock.instant().getEpochSecond(), request, answers, usage, tokenizer);
    if (flex) {
      response.put("service_tier", FlexTier.TEXT);
    }
    style(response, request);
    return new Timed(response, seconds, usd);
  }

  private Provider provider() {
    return state.options().provider();
  }

  /** Whether answers always fit the schema of the request. */
  private boolean enforces(@Nullable JsonNode format) {
    return provider() != Provider.PATIENT
        && format != null
        && format.path("type").asText().equals("json_schema");
  }

  /** The time that the model needs to read a prompt. */
  private Duration reading(Skill skill, int promptTokens) {
    return Duration.ofMillis(
        (long) (1000 * skill.secondsToFirstToken(promptTokens) / state.options().speed()));
  }

  /**
   * The request as far as it fits the context.
   *
   * @param prompt its tokens
   * @throws ApiException if it does not fit and the provider does not cut it
   */
  private ChatRequest fit(ChatRequest request, int prompt, ModelProfile model) {
    int stated = state.options().contextTokens();
    int context = stated == 0 ? model.contextTokens() : stated;
    boolean patient = provider() == Provider.PATIENT;
    int answer = request.maxTokens() == Integer.MAX_VALUE ? 0 : request.maxTokens();
    if (provider().truncatesPrompts()) {
      return prompt > context ? request.cut(context, tokenizer) : request;
    }
    if (prompt + (patient ? 0 : answer) > context) {
      throw ApiException.tooLong(context, prompt + (patient ? 0 : answer));
    }
    if (provider().servesOpenAiModels()
        && model.outputTokens() > 0
        && answer > model.outputTokens()) {
      throw ApiException.invalid(
          "max_tokens is too large: %d. This model supports at most %d completion tokens, whereas you provided %d."
              .formatted(answer, model.outputTokens(), answer),
          "max_tokens",
          "invalid_value");
    }
    return request;
  }

  /** Changes the response to the form of the provider. */
  private void style(ObjectNode response, ChatRequest request) {
    String filtered = state.options().filtered();
    if (filtered != null && provider() != Provider.AZURE && request.text(USER).contains(filtered)) {
      ObjectNode message = (ObjectNode) response.path("choices").get(0).path("message");
      String refusal = "I'm sorry, but I can't help with that.";
      if (provider() == Provider.OPENAI) {
        message.putNull("content").put("refusal", refusal);
      } else {
        message.put("content", refusal);
      }
    }
    switch (provider()) {
      case PATIENT, OPENAI -> {}
      case AZURE -> ContentFilterResults.add(response);
      case VLLM -> {
        response.remove("service_tier");
        ((ObjectNode) response.path("usage"))
            .putNull("prompt_tokens_details")
            .remove("completion_tokens_details");
      }
      case OLLAMA -> {
        response.remove("service_tier");
        ((ObjectNode) response.path("usage"))
            .remove(List.of("prompt_tokens_details", "completion_tokens_details"));
      }
    }
  }

  /** Removes the text of all choices. */
  static void empty(ObjectNode response) {
    for (JsonNode choice : response.path("choices")) {
      ((ObjectNode) choice.path("message")).put("content", "");
    }
  }

  private int promptTokens(ChatRequest request) {
    int tokens = TOKENS_OF_REPLY + request.images() * TOKENS_PER_IMAGE + request.soundTokens();
    for (ChatRequest.Message message : request.messages()) {
      tokens += TOKENS_PER_MESSAGE + 1 + tokenizer.count(message.text());
    }
    return tokens + tokenizer.count(schema(request));
  }

  /** The response schema; empty if there is none. */
  private static String schema(ChatRequest request) {
    JsonNode format = request.responseFormat();
    return format == null ? "" : format.path("json_schema").path("schema").toString();
  }

  private List<Answer> answers(ChatRequest request, Skill skill, int promptTokens) {
    Prompt prompt =
        Prompt.parse(request.text(SYSTEM), request.text(USER), request.answeredBefore());
    Task task = Task.of(request.responseFormat(), prompt);
    List<Answer> answers = new ArrayList<>();
    for (int i = 0; i < request.choices(); i++) {
      int ordinal =
          request.temperature() > 0
              ? prompts.merge(identity(request, prompt), 1, Integer::sum) - 1
              : 0;
      answers.add(
          simulated.answer(
              prompt,
              task,
              new SimulatedModel.Invocation(
                  skill.helped(request.effort(), task.reasoning() != null, prompt.examples()),
                  request.temperature(),
                  ordinal,
                  promptTokens,
                  enforces(request.responseFormat()))));
    }
    return answers;
  }

  private static long identity(ChatRequest request, Prompt prompt) {
    return KeyedRandom.seeded(0)
        .with(request.model())
        .with(prompt.text())
        .with(Double.doubleToLongBits(request.temperature()))
        .state();
  }

  private Usage usage(
      ChatRequest request, Skill skill, List<Answer> answers, int promptTokens, int cached) {
    int reasoning = 0;
    int completion = 0;
    for (Answer answer : answers) {
      int thinking = Math.min(thinkingTokens(request, skill, answer), request.maxTokens());
      reasoning += thinking;
      completion += Math.min(request.maxTokens(), thinking + tokenizer.count(answer.text()));
    }
    return new Usage(promptTokens, cached, request.soundTokens(), completion, reasoning);
  }

  private static int thinkingTokens(ChatRequest request, Skill skill, Answer answer) {
    if (!skill.model().reasoning()) {
      return 0;
    }
    double effort = Skill.effort(request.effort());
    return (int) Math.round(skill.formula().reasoningTokens() * effort * (0.5 + answer.thinking()));
  }
}
