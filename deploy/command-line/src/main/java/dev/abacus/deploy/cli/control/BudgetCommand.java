package dev.abacus.deploy.cli.control;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.cli.option.CommandFailure;
import dev.abacus.deploy.cli.option.ProgramCommand;
import dev.abacus.deploy.cli.report.Amounts;
import dev.abacus.deploy.cluster.ControlState;
import dev.abacus.deploy.cluster.ControlTopic;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlCodec;
import dev.abacus.schemas.control.ControlKey;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.InvalidControlException;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SampleBudget;
import dev.abacus.schemas.program.Spending;
import dev.abacus.schemas.program.io.ProgramWriter;
import dev.abacus.schemas.value.RecordValues;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code abacus budget}. */
@Command(
    name = "budget",
    description = "Show or change the search budget and the spending cap.",
    footer = "  abacus budget support-triage --samples 200 --spending 40 --per day")
public final class BudgetCommand extends ProgramCommand {

  @Option(
      names = "--samples",
      paramLabel = "N",
      description = "Search budget in operator invocations.")
  private @Nullable Integer samples;

  @Option(
      names = "--usd",
      paramLabel = "USD",
      description = "Search budget in USD, judge included.")
  private @Nullable Double usd;

  @Option(
      names = "--tokens",
      paramLabel = "N",
      description = "Search budget in tokens, judge included.")
  private @Nullable Long tokens;

  @Option(
      names = "--spending-tokens",
      paramLabel = "N",
      description = "Spending cap for documents per window, in tokens.")
  private @Nullable Long spendingTokens;

  @Option(
      names = "--spending",
      paramLabel = "USD",
      description = "Spending cap for documents per window, in USD.")
  private @Nullable Double spending;

  @Option(
      names = "--per",
      paramLabel = "WINDOW",
      description =
          "Window: minute, hour, day, or a duration such as 12h (default: ${DEFAULT-VALUE}).")
  private String per = "day";

  @Option(names = "--clear", description = "Return to the program's own budget.")
  private boolean clear;

  private ControlRecord.@Nullable BudgetSet wanted;

  @Override
  protected void check() {
    wanted = wanted("program");
    if (clear && wanted != null) {
      throw CommandFailure.invalid(
          "--clear cannot be combined with other limits", "Give --clear alone, then the limits.");
    }
  }

  @Override
  protected void run(Program applied, ControlTopic control, ControlState state) {
    String name = applied.name();
    ControlKey key = new ControlKey.BudgetKey(name);
    if (clear) {
      control.remove(List.of(key));
      show(applied);
      return;
    }
    Program effective = state.effective(applied);
    if (wanted != null) {
      // What nobody has set stays null, so that it follows the program.
      var set = state.records().get(key) instanceof ControlRecord.BudgetSet now ? now : wanted;
      SampleBudget budget = wanted.budget() == null ? set.budget() : wanted.budget();
      Spending cap = wanted.spending() == null ? set.spending() : wanted.spending();
      control.write(new ControlRecord.BudgetSet(name, budget, cap));
      effective =
          applied.withBudget(
              budget == null ? applied.budget() : budget, cap == null ? applied.spending() : cap);
    }
    show(effective);
  }

  private void show(Program effective) {
    String name = effective.name();
    SampleBudget budget = effective.sampleBudget();
    Spending cap = effective.spending();
    String search =
        switch (budget) {
          case SampleBudget.Invocations invocations -> invocations.samples() + " samples";
          case SampleBudget.Dollars dollars -> Amounts.usd(dollars.usd());
          case SampleBudget.Tokens all -> "%,d tokens".formatted(all.tokens());
        };
    String documents = cap == null ? "no cap" : "%s per %s".formatted(amount(cap), cap.window());
    output.data(
        ProgramWriter.write(budget, cap).put("program", name),
        "%s: search %s, documents %s".formatted(name, search, documents));
  }

  private static String amount(Spending cap) {
    String usd = cap.usd() == null ? "" : Amounts.usd(cap.usd());
    String ofTokens = cap.tokens() == null ? "" : "%,d tokens".formatted(cap.tokens());
    return usd + (usd.isEmpty() || ofTokens.isEmpty() ? "" : " and ") + ofTokens;
  }

  /** Builds a control record from the options and validates it; null if no option is given. */
  private ControlRecord.@Nullable BudgetSet wanted(String name) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("samples", samples).put("usd", usd).put("tokens", tokens);
    if (spending != null || spendingTokens != null) {
      json.set(
          "spending",
          given(
              json.objectNode()
                  .put("usd", spending)
                  .put("tokens", spendingTokens)
                  .put("per", per)));
    }
    if (given(json).isEmpty()) {
      return null;
    }
    try {
      return (ControlRecord.BudgetSet)
          new ControlCodec(ModelCatalogue.builtIn(), RecordValues.WITHOUT_REGISTRY)
              .decode(new ControlKey.BudgetKey(name), Json.write(json));
    } catch (InvalidControlException e) {
      throw CommandFailure.invalid(
          String.valueOf(e.getMessage()).replaceAll("line \\d+,? ?", ""),
          "Give --samples, --usd or --tokens above 0, and --spending or --spending-tokens above 0"
              + " with --per hour, day or 12h.");
    }
  }

  /** What options set. */
  private static ObjectNode given(ObjectNode json) {
    json.properties().removeIf(option -> option.getValue().isNull());
    return json;
  }
}
