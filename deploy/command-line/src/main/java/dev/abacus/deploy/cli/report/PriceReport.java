package dev.abacus.deploy.cli.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.price.PricedPlan;
import dev.abacus.optimizer.api.CallTokens;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Output of {@code estimate}.
 *
 * @param restsOn basis of the price: "plan", "estimates" or "prices"
 * @param because explanation of the basis and its assumptions
 * @param tokens tokens by operator and source document, if they were counted
 * @param unpriced operators without a price, with the reason
 */
public record PriceReport(
    String restsOn,
    long documents,
    List<PricedPlan> plans,
    List<String> because,
    Map<String, CallTokens> tokens,
    Map<String, String> unpriced) {

  /** A report on measured operators: no tokens are counted, and all have a price. */
  public PriceReport(String restsOn, long documents, List<PricedPlan> plans, List<String> because) {
    this(restsOn, documents, plans, because, Map.of(), Map.of());
  }

  public ObjectNode json(Program program) {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("program", program.name())
            .put("documents", documents)
            .put("restsOn", restsOn);
    because.forEach(json.putArray("because")::add);
    ArrayNode list = json.putArray("plans");
    for (PricedPlan plan : plans) {
      ObjectNode node =
          list.addObject()
              .put("for", plan.name())
              .put("feasible", plan.standing().holds())
              .put("standing", plan.standing().word())
              .put("usd", plan.usd());
      if (plan.low() != null && plan.high() != null) {
        node.put("usdLow", plan.low()).put("usdHigh", plan.high());
      }
      node.set("perDocument", Json.tree(plan.perDocument()));
      node.set("operators", Json.tree(plan.operators()));
    }
    if (!tokens.isEmpty()) {
      json.set("tokensPerDocument", Json.tree(tokens));
    }
    if (!unpriced.isEmpty()) {
      json.set("notPriced", Json.tree(unpriced));
    }
    return json;
  }

  public List<String> lines(Program program) {
    List<String> lines = new ArrayList<>();
    lines.add("%s, %d documents".formatted(program.name(), documents));
    Table table = new Table("for", "bounds", "all documents", "per document", "quality", "plan");
    for (PricedPlan plan : plans) {
      table.row(
          plan.name(),
          plan.standing().word(),
          Amounts.usd(plan.usd())
              + (plan.low() == null || plan.high() == null
                  ? ""
                  : " (%s to %s)".formatted(Amounts.usd(plan.low()), Amounts.usd(plan.high()))),
          Amounts.usd(plan.perDocument().cost()),
          String.format(Locale.ROOT, "%.3f", plan.perDocument().quality()),
          steps(program, plan));
    }
    lines.addAll(table.lines());
    if (!tokens.isEmpty()) {
      Table counted = new Table("operator", "calls", "tokens in", "tokens out");
      tokens.forEach((operator, of) ->
          counted.row(
              operator,
              String.format(Locale.ROOT, "%.1f", of.calls()),
              String.format(Locale.ROOT, "%.0f", of.input()),
              String.format(Locale.ROOT, "%.0f", of.output())));
      lines.add("per document:");
      counted.lines().forEach(line -> lines.add("  " + line));
    }
    unpriced.forEach((operator, reason) -> lines.add("NOT PRICED: " + operator + ", " + reason));
    lines.add("The price rests on:");
    because.forEach(reason -> lines.add("- " + reason));
    return lines;
  }

  private String steps(Program program, PricedPlan plan) {
    return plan.operators().stream()
        .filter(step -> isSemantic(program, step.logical()))
        .filter(step -> !unpriced.containsKey(step.logical()))
        .map(step -> step.logical() + "=" + step.physical())
        .collect(Collectors.joining(" -> "));
  }

  /** Operators that rules made of those written are none of the program's, and all semantic. */
  private static boolean isSemantic(Program program, String id) {
    LogicalOperator operator = program.operator(id);
    return operator == null || operator.isSemantic();
  }
}
