package dev.abacus.deploy.price;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.optimizer.api.CallTokens;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.ListwiseRanking;
import dev.abacus.schemas.program.Aggregate;
import dev.abacus.schemas.program.EntityResolution;
import dev.abacus.schemas.program.Limit;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Merge;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Source;
import dev.abacus.schemas.program.Project;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.schemas.program.SemanticRank;
import dev.abacus.schemas.program.StreamJoin;
import dev.abacus.schemas.program.TopK;
import dev.abacus.topology.model.Content;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.ResponseSchema;
import dev.abacus.topology.model.token.TokenCounter;
import dev.abacus.topology.operator.join.ChoicePrompt;
import dev.abacus.topology.operator.join.JoinPrompt;
import dev.abacus.topology.operator.join.MatchableItems;
import dev.abacus.topology.operator.prompt.DocumentMessage;
import dev.abacus.topology.operator.prompt.OperatorPrompt;
import dev.abacus.topology.operator.prompt.Prompt;
import dev.abacus.topology.operator.rank.RankPrompt;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Walks one document through a program, counting the tokens of every prompt without calling a
 * model.
 */
final class DocumentWalk {

  /** Assumed number of items of a top-k with {@code k: auto}. */
  private static final int OPEN_K = 5;

  /** Number of join pairs whose tokens are counted; the others are assumed to be alike. */
  private static final int PAIRS = 10;

  private static final String DECISION = "{\"satisfied\":false}";

  private final Program program;
  private final Map<String, List<Document>> items;
  private final TokenCounter counter;
  private final String model;

  /** Outputs of sources and operators; no entry if the document does not reach the operator. */
  private final Map<String, Document> outputs = new HashMap<>();

  private final Map<String, CallTokens> tokens = new HashMap<>();
  private final Map<String, String> unknown = new HashMap<>();

  /**
   * A walk.
   *
   * @param model the model that counts the tokens
   */
  DocumentWalk(
      Program program, Map<String, List<Document>> items, TokenCounter counter, String model) {
    this.program = program;
    this.items = items;
    this.counter = counter;
    this.model = model;
  }

  void go(Source source, Document document) {
    outputs.put(source.name(), document);
    for (LogicalOperator operator : program.operators()) {
      Document input = input(operator);
      String blocked = blocked(operator);
      if (blocked != null) {
        unknown.put(operator.id(), blocked);
      } else if (input != null) {
        Document output = pass(operator, input);
        if (output != null) {
          outputs.put(operator.id(), output);
        }
      }
    }
  }

  /** Tokens per semantic operator that the document reaches. */
  Map<String, CallTokens> tokens() {
    return tokens;
  }

  /** The reason why an operator cannot be priced. */
  Map<String, String> unknown() {
    return unknown;
  }

  private @Nullable Document input(LogicalOperator operator) {
    Document all = null;
    for (String name : operator.inputs()) {
      Document one = outputs.get(name);
      all = all == null || one == null ? (one == null ? all : one) : all.with(one);
    }
    return all;
  }

  /** The reason why an operator's inputs are unknown; null if they are known. */
  private @Nullable String blocked(LogicalOperator operator) {
    for (String name : operator.inputs()) {
      LogicalOperator before = program.operator(name);
      if (before instanceof Aggregate) {
        return "how many groups '%s' makes is not known".formatted(name);
      }
      if (before instanceof StreamJoin) {
        return "how many pairs '%s' finds is not known".formatted(name);
      }
      if (before != null && unknown.containsKey(name) && !outputs.containsKey(name)) {
        return unknown.get(name);
      }
    }
    return null;
  }

  /** The operator's output; null if it has no output per document. */
  private @Nullable Document pass(LogicalOperator operator, Document input) {
    return switch (operator) {
      case SemanticMap map -> {
        Document answer = PlaceholderAnswer.of(map.writes());
        tokens.put(map.id(), ask(map, input, answer.toString()));
        yield input.with(answer);
      }
      case SemanticFilter filter -> {
        boolean dropped = filter.isDroppedByCode(input);
        if (filter.isSemantic()) {
          tokens.put(filter.id(), dropped ? CallTokens.NONE : ask(filter, input, DECISION));
        }
        yield dropped ? null : input;
      }
      case TopK topK -> find(topK, input);
      case SemanticRank rank -> order(rank, input);
      case EntityResolution resolution -> choose(resolution, input);
      case ReferenceJoin join -> match(join, input);
      case Project project -> input.only(project.fields());
      case Merge _, Limit _ -> input;
      case StreamJoin join -> {
        if (join.isSemantic()) {
          unknown.put(join.id(), "how many pairs it is asked about is not known");
        }
        yield null;
      }
      case Aggregate aggregate -> {
        if (aggregate.isSemantic()) {
          List<Content> member = DocumentMessage.of(OperatorPrompt.input(aggregate, input));
          tokens.put(aggregate.id(), new CallTokens(0, count("", member, null), 0));
        }
        yield null;
      }
    };
  }

  private CallTokens ask(LogicalOperator operator, Document input, String answer) {
    OperatorPrompt<?> question = OperatorPrompt.of(operator);
    if (question == null) {
      throw new IllegalArgumentException(operator.id() + " asks no model");
    }
    return new CallTokens(
        1, count(question.about(OperatorPrompt.input(operator, input))), count(answer));
  }

  /** A search calls an embedding model with the query only. */
  private Document find(TopK topK, Document input) {
    long query = 0;
    for (String field : topK.query()) {
      JsonNode value = input.get(field);
      query += count(value.isTextual() ? value.textValue() : value.toString());
    }
    tokens.put(topK.id(), new CallTokens(1, query, 0));
    ArrayNode found = JsonNodeFactory.instance.arrayNode();
    items.getOrDefault(topK.from(), List.of()).stream()
        .limit(topK.k() == null ? OPEN_K : topK.k())
        .forEach(item -> found.add(item.toJson()));
    return input.with(topK.writes(), found);
  }

  /** One call per window of items. */
  private Document order(SemanticRank rank, Document input) {
    List<JsonNode> all = input.get(rank.items()).valueStream().toList();
    ListwiseRanking windows = new ListwiseRanking(model, ListwiseRanking.WIDE);
    int calls = windows.calls(all.size(), rank.kept(all.size()));
    List<JsonNode> window = all.subList(0, Math.min(windows.shown(), all.size()));
    long asked = count(RankPrompt.ORDER.about(rank, RankPrompt.shown(rank, input), window));
    long answer = count(IntStream.rangeClosed(1, window.size()).boxed().toList().toString());
    tokens.put(rank.id(), new CallTokens(calls, (double) asked * calls, (double) answer * calls));
    ArrayNode kept = JsonNodeFactory.instance.arrayNode();
    all.stream().limit(rank.kept(all.size())).forEach(kept::add);
    return input.with(rank.writes(), kept);
  }

  /** One call that shows some items. */
  private Document choose(EntityResolution resolution, Document input) {
    List<Document> some =
        items.getOrDefault(resolution.with(), List.of()).stream().limit(OPEN_K).toList();
    Document shown = OperatorPrompt.input(resolution, input);
    Choice choice = choice(ChoicePrompt.ONE, resolution.condition(), shown, some);
    tokens.put(
        resolution.id(),
        new CallTokens(
            1,
            choice.first() + choice.further() * Math.max(0, some.size() - 1),
            count("{\"item\":0}"),
            choice.first(),
            choice.further()));
    return some.isEmpty() ? input : input.with(resolution.into(), some.getFirst().toJson());
  }

  /** Input tokens of a call that shows one item, and of each further item. */
  private record Choice(double first, double further) {}

  private Choice choice(ChoicePrompt kind, String condition, Document shown, List<Document> some) {
    List<JsonNode> all = some.stream().<JsonNode>map(Document::toJson).toList();
    double first = count(kind.about(condition, shown, all.subList(0, Math.min(1, all.size()))));
    return all.size() < 2
        ? new Choice(first, 0)
        : new Choice(first, (count(kind.about(condition, shown, all)) - first) / (all.size() - 1));
  }

  /** One call per item for which the condition in code may hold, or one that shows them. */
  private @Nullable Document match(ReferenceJoin join, Document input) {
    List<Document> given = items.getOrDefault(join.with(), List.of());
    if (given.isEmpty()) {
      unknown.put(
          join.id(), "the items of '%s' are not given (--reference)".formatted(join.with()));
      return input;
    }
    List<Document> all =
        given.stream()
            .filter(item -> !MatchableItems.isRejected(join.pairs(), input, item))
            .toList();
    if (all.isEmpty()) {
      tokens.put(join.id(), CallTokens.NONE);
      return join.outputs(0) == 0 ? null : input;
    }
    List<Document> some = all.subList(0, Math.min(PAIRS, all.size()));
    Document shown = OperatorPrompt.input(join, input);
    double sum = 0;
    for (Document item : some) {
      sum += count(JoinPrompt.of(join.condition(), shown, item));
    }
    Choice choice = choice(ChoicePrompt.ALL, join.condition(), shown, some);
    tokens.put(
        join.id(),
        new CallTokens(
            all.size(),
            sum / some.size() * all.size(),
            (double) count(DECISION) * all.size(),
            choice.first(),
            choice.further()));
    return input.with(
        join.into(),
        join.collected()
            ? JsonNodeFactory.instance.arrayNode().add(all.getFirst().toJson())
            : all.getFirst().toJson());
  }

  private long count(Prompt<?> prompt) {
    return count(prompt.system(), prompt.user(), prompt.format().schema());
  }

  private long count(String system, List<Content> content, @Nullable ResponseSchema schema) {
    return counter.count(ModelRequest.of(model, system, content, schema)).tokens();
  }

  private long count(String text) {
    return counter.count(model, text).tokens();
  }
}
