package dev.abacus.schemas.control;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.ProgramArbitraries;
import dev.abacus.schemas.value.RecordValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class ControlRecordRoundTripTest {

  private static final String PROGRAM = "p";

  private static final JsonMapper MAPPER = new JsonMapper();

  private static final List<JsonNode> OTHERS =
      List.of(
          NullNode.getInstance(),
          TextNode.valueOf(""),
          TextNode.valueOf(" "),
          MAPPER.createArrayNode(),
          MAPPER.createObjectNode(),
          IntNode.valueOf(0),
          IntNode.valueOf(-1),
          BooleanNode.TRUE);

  private final ControlCodec codec =
      new ControlCodec(ModelCatalogue.builtIn(), RecordValues.WITHOUT_REGISTRY);

  @Property(seed = "42", tries = 500)
  void aRecordIsReadBackFromItsKeyAndBytes(@ForAll("records") ControlRecord record)
      throws Exception {
    ControlKey key = ControlKey.parse(record.key().path());

    assertThat(codec.decode(key, ControlCodec.encode(record))).isEqualTo(record);
  }

  /** People write records by hand: null, a blank, a list where a text belongs. */
  @Property(seed = "42", tries = 60)
  void aRecordWithOneOtherValueIsReadOrRefused(@ForAll("records") ControlRecord record)
      throws Exception {
    ControlKey key = record.key();
    JsonNode written = MAPPER.readTree(ControlCodec.encode(record));
    for (JsonPointer place : places(written, JsonPointer.empty())) {
      for (JsonNode other : OTHERS) {
        JsonNode changed = replaced(written, place, other);
        ControlRecord read;
        try {
          read = codec.decode(key, MAPPER.writeValueAsBytes(changed));
        } catch (InvalidControlException refused) {
          assertThat(refused.getMessage()).as("%s: %s", place, other).isNotBlank();
          continue;
        }
        assertThat(codec.decode(key, ControlCodec.encode(Objects.requireNonNull(read))))
            .as("%s: %s in %s", place, other, changed)
            .isEqualTo(read);
      }
    }
  }

  private static JsonNode replaced(JsonNode root, JsonPointer place, JsonNode other) {
    if (place.matches()) {
      return other;
    }
    JsonNode changed = root.deepCopy();
    JsonNode parent = changed.at(place.head());
    String last = place.last().getMatchingProperty();
    if (parent instanceof ObjectNode fields) {
      fields.set(last, other);
    } else {
      ((ArrayNode) parent).set(Integer.parseInt(last), other);
    }
    return changed;
  }

  private static List<JsonPointer> places(JsonNode node, JsonPointer here) {
    List<JsonPointer> places = new ArrayList<>(List.of(here));
    node.fieldNames()
        .forEachRemaining(name -> places.addAll(places(node.get(name), here.appendProperty(name))));
    for (int i = 0; node.isArray() && i < node.size(); i++) {
      places.addAll(places(node.get(i), here.appendIndex(i)));
    }
    return places;
  }

  @Provide
  Arbitrary<ControlRecord> records() {
    Arbitrary<String> text = ProgramArbitraries.text();
    return Arbitraries.oneOf(
        ProgramArbitraries.programs().map(ControlRecord.ProgramSet::new),
        ProgramArbitraries.programs().flatMap(ControlRecordRoundTripTest::plan),
        ProgramArbitraries.objectives()
            .map(objective -> new ControlRecord.ObjectiveSet(PROGRAM, objective)),
        Combinators.combine(ProgramArbitraries.budgets(), ProgramArbitraries.spendings())
            .as((budget, spending) -> new ControlRecord.BudgetSet(PROGRAM, budget, spending)),
        text.map(model -> new ControlRecord.Pinned(PROGRAM, "classify", new ModelSelection(model))),
        Combinators.combine(Arbitraries.of(true, false), text, text)
            .as((paused, reason, by) -> new ControlRecord.Paused(PROGRAM, paused, reason, by)),
        text.map(token -> new ControlRecord.Reoptimize(PROGRAM, token)),
        Combinators.combine(
                epochs(),
                Arbitraries.doubles().between(0.001, 1).ofScale(6),
                text,
                epochs().injectNull(0.5))
            .as((epoch, share, reason, beside) ->
                new ControlRecord.Activated(
                    PROGRAM, epoch, share, reason, ControlRecord.GOVERNOR, beside)));
  }

  private static Arbitrary<Long> epochs() {
    return Arbitraries.longs().between(1, 1_000_000_000_000L);
  }

  private static Arbitrary<ControlRecord> plan(Program program) {
    Arbitrary<Estimate> estimate =
        Combinators.combine(
                Arbitraries.doubles().between(0, 1),
                Arbitraries.doubles().between(0, 100),
                Arbitraries.doubles().between(0, 100))
            .as(Estimate::new);
    Arbitrary<PlanChoice> choice =
        Combinators.combine(estimate, ProgramArbitraries.text())
            .as((expected, model) ->
                new PlanChoice(
                    program.operators().stream()
                        .map(operator -> new PlanStep(operator, new ModelSelection(model)))
                        .toList(),
                    expected));
    return Combinators.combine(epochs(), choice, choice.list().ofMaxSize(3))
        .as((epoch, chosen, others) ->
            new ControlRecord.PlanPublished(
                new PhysicalPlan(
                    program.name(), epoch, chosen, program.objective(), List.copyOf(others))));
  }
}
