package dev.abacus.topology.telemetry;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.document.Media;
import dev.abacus.schemas.secret.Redactor;
import dev.abacus.topology.model.Content;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.SharedCallTraces;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import org.jspecify.annotations.Nullable;

/**
 * Counts the tokens and the cost of each attempt of a model call, and makes it a span where the
 * document is traced, with the attributes of OpenTelemetry's semantic conventions for generative AI
 * (version 1.37).
 *
 * @param content hides secrets in prompts and answers; null keeps these texts out of spans
 */
record TracingModelClient(
    ModelClient next, Tracer tracer, TokenUsage usage, @Nullable Redactor content)
    implements ModelClient {

  @Override
  public void discard(ModelRequest request) {
    next.discard(request);
  }

  @Override
  public ModelAnswer call(ModelRequest request) throws InterruptedException {
    if (!Tracing.isInTrace()) {
      return counted(request);
    }
    Span span = start(request);
    try {
      ModelAnswer answer = counted(request);
      end(span, answer.tokens(), answer.cost(), answer.failure());
      if (content != null && answer instanceof ModelAnswer.Success success) {
        span.setAttribute(
            "gen_ai.output.messages", message("assistant", content.redact(success.text())));
      }
      return answer;
    } finally {
      span.end();
    }
  }

  private ModelAnswer counted(ModelRequest request) throws InterruptedException {
    ModelAnswer answer = next.call(request);
    usage.add("chat", request.model(), answer.tokens(), answer.cost());
    return answer;
  }

  private Span start(ModelRequest request) {
    SpanBuilder span =
        builder(tracer, "chat", request.model())
            .setAttribute("gen_ai.request.temperature", request.options().temperature());
    if (request.options().maxOutputTokens() != null) {
      span.setAttribute(
          "gen_ai.request.max_tokens", request.options().maxOutputTokens().longValue());
    }
    if (request.responseSchema() != null) {
      span.setAttribute("gen_ai.output.type", "json");
    }
    if (content != null) {
      span.setAttribute("gen_ai.system_instructions", text(content.redact(request.system())));
      span.setAttribute("gen_ai.input.messages", message("user", content.redact(shown(request))));
    }
    SharedCallTraces.links(Context.current()).forEach(span::addLink);
    return span.startSpan();
  }

  /** The text of a request; files are named by their address, or not shown. */
  private static String shown(ModelRequest request) {
    StringBuilder shown = new StringBuilder();
    for (Content part : request.content()) {
      switch (part) {
        case Content.Text(String text) -> shown.append(text);
        case Content.Attachment(Media.Reference file) ->
            shown.append("[%s %s]".formatted(file.noun(), file.uri()));
        case Content.Attachment(Media.Content file) -> shown.append("[%s]".formatted(file.noun()));
      }
    }
    return shown.toString();
  }

  private static String message(String role, String text) {
    var messages = JsonNodeFactory.instance.arrayNode();
    ObjectNode message = messages.addObject().put("role", role);
    message.putArray("parts").addObject().put("type", "text").put("content", text);
    return messages.toString();
  }

  private static String text(String text) {
    var parts = JsonNodeFactory.instance.arrayNode();
    parts.addObject().put("type", "text").put("content", text);
    return parts.toString();
  }

  static SpanBuilder builder(Tracer tracer, String operation, String model) {
    return tracer
        .spanBuilder(operation + " " + model)
        .setSpanKind(SpanKind.CLIENT)
        .setAllAttributes(TokenUsage.attributes(operation, model).build());
  }

  static void end(Span span, TokenCounts tokens, double cost, @Nullable ModelFailure failure) {
    span.setAttribute("gen_ai.usage.input_tokens", tokens.input());
    if (tokens.cachedInput() > 0) {
      span.setAttribute("gen_ai.usage.cache_read.input_tokens", tokens.cachedInput());
    }
    if (tokens.output() > 0) {
      span.setAttribute("gen_ai.usage.output_tokens", tokens.output());
    }
    span.setAttribute("abacus.cost.usd", cost);
    if (failure != null) {
      span.setStatus(StatusCode.ERROR);
      span.setAttribute("error.type", failure.getClass().getSimpleName());
    }
  }
}
