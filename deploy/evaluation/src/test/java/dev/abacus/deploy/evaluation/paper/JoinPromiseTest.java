package dev.abacus.deploy.evaluation.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.optimizer.loop.LoopSettings;
import dev.abacus.optimizer.sampling.Reservoir;
import dev.abacus.optimizer.sampling.random.RandomSampling;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.objective.ObjectiveParser;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.ChoiceJoin;
import dev.abacus.schemas.plan.EmbeddingJoin;
import dev.abacus.schemas.plan.NestedLoopsJoin;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.StepEstimate;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.InvalidTextException;
import dev.abacus.schemas.program.io.ProgramParser;
import dev.abacus.topology.model.Content;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.model.EmbeddingAnswer;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.token.TokenCounter;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.technique.OperatorRuntime;
import dev.abacus.topology.reference.EmbeddedItem;
import dev.abacus.topology.reference.ReferenceCollection;
import dev.abacus.topology.reference.index.ExactIndex;
import dev.abacus.topology.sample.SampleRunner;
import dev.abacus.topology.scoring.Judge;
import dev.abacus.topology.scoring.Scorer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Compares the promise for a join with a reference of 1,000 items with what the join does with all
 * of them. A model finds every match, and 1 % of the other items in addition.
 */
class JoinPromiseTest {

  private static final int ITEMS = 1_000;
  private static final int EXAMPLES = 25;
  private static final String MODEL = "gpt-4o-mini";
  private static final String CAREFUL = "gpt-4o";
  private static final String JUDGE = "o4-mini";
  private static final String POOR = "poor";
  private static final Pattern NUMBER = Pattern.compile("(wish|item)(\\d+)\\b");
  private static final Pattern SHOWN =
      Pattern.compile("<item n=\"(\\d+)\">\\s*\\{\"name\":\"item(\\d+)\"");
  private static final ModelCatalogue CATALOGUE = ModelCatalogue.builtIn();

  private static final String PROGRAM =
      """
      program: promise
      sources: { wishes: { topic: wishes } }
      references: { things: { topic: things, key: name, embed: [text] } }
      operators:
        - join: match
          with: things
          condition: The item fulfils the wish.
          reads: [wish]
          kind: inner
          into: item
      results: { topic: fulfilled }
      models: [gpt-4o-mini, gpt-4o]
      judge: o4-mini
      """;

  private static boolean isMatch(int wish, int item) {
    return item == wish || item == (wish + 1) % ITEMS || (item == wish + 2 && wish % 5 == 0);
  }

  /** One pair in a hundred; {@value #CAREFUL} does not. */
  private static boolean isWronglyMatched(int wish, int item) {
    return new SplittableRandom(wish * 1_000L + item).nextInt(100) == 0;
  }

  private static ModelAnswer answer(ModelRequest request) {
    StringBuilder words = new StringBuilder();
    for (Content part : request.content()) {
      if (part instanceof Content.Text(String text)) {
        words.append(text).append('\n');
      }
    }
    if (Objects.requireNonNull(request.responseSchema()).name().equals("item_matches")) {
      return success(1_000, named(request.model(), words.toString()));
    }
    int wish = -1;
    int item = -1;
    Matcher numbers = NUMBER.matcher(words);
    while (numbers.find()) {
      if (numbers.group(1).equals("wish")) {
        wish = Integer.parseInt(numbers.group(2));
      } else {
        item = Integer.parseInt(numbers.group(2));
      }
    }
    return success(100, "{\"satisfied\": %s}".formatted(says(request.model(), wish, item)));
  }

  private static boolean says(String model, int wish, int item) {
    return isMatch(wish, item) || (model.equals(MODEL) && isWronglyMatched(wish, item));
  }

  /** The answer about all items that a prompt shows, each decided as alone. */
  private static String named(String model, String words) {
    Matcher wish = NUMBER.matcher(words);
    assertThat(wish.find()).isTrue();
    List<String> numbers = new ArrayList<>();
    Matcher shown = SHOWN.matcher(words);
    while (shown.find()) {
      if (says(model, Integer.parseInt(wish.group(2)), Integer.parseInt(shown.group(2)))) {
        numbers.add(shown.group(1));
      }
    }
    return "{\"items\": %s}".formatted(numbers);
  }

  private static ModelAnswer success(int tokens, String text) {
    return new ModelAnswer.Success(
        text, new ExecutionStats(1e-7 * tokens, 0.5, 1, TokenCounts.of(tokens, 0, 1)), List.of());
  }

  /** Numbers that are close have similar vectors. */
  private static Embedding vector(int number) {
    double angle = 2 * Math.PI * number / ITEMS;
    return Embedding.of(new float[] {(float) Math.cos(angle), (float) Math.sin(angle), 0.1f});
  }

  /** An embedder to which half of the matches look like items that are far away. */
  private static Embedding poorVector(String kind, int number) {
    boolean moved = kind.equals("item") && number % 2 == 0;
    return vector(moved ? (number + ITEMS / 2) % ITEMS : number);
  }

  private record CircleEmbedder(String name) implements Embedder {
    @Override
    public EmbeddingAnswer embed(List<String> texts) {
      List<Embedding> vectors = new ArrayList<>();
      for (String text : texts) {
        Matcher number = NUMBER.matcher(text);
        assertThat(number.find()).isTrue();
        int read = Integer.parseInt(number.group(2));
        vectors.add(name.equals(POOR) ? poorVector(number.group(1), read) : vector(read));
      }
      return new EmbeddingAnswer.Success(vectors, new ExecutionStats(0, 0.01, 1));
    }
  }

  private final ReferenceCollection things =
      new ReferenceCollection("things", "name", ExactIndex::new);
  private final OperatorRuntime operators =
      new OperatorRuntime(Embedders.of(new CircleEmbedder("circle"), new CircleEmbedder(POOR)))
          .forProgram(_ -> things);
  private final Program program = program();
  private final Scorer scorer = new Scorer(new Judge(CATALOGUE));

  JoinPromiseTest() {
    for (int i = 0; i < ITEMS; i++) {
      things.put(
          "item" + i,
          new EmbeddedItem(
              "h",
              Document.of(item(i)).toBytes(),
              Map.of("circle", vector(i).toArray(), POOR, poorVector("item", i).toArray()),
              Map.of()));
    }
    things.flush();
  }

  private static ObjectNode item(int number) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("name", "item" + number)
        .put("text", "item" + number);
  }

  private static Program program() {
    try {
      return new ProgramParser(CATALOGUE).parse(PROGRAM);
    } catch (InvalidTextException e) {
      throw new AssertionError(e);
    }
  }

  private static ValidationExample example(int number, boolean labelled) {
    ArrayNode label = JsonNodeFactory.instance.arrayNode();
    for (int item = 0; item < ITEMS; item++) {
      if (isMatch(number, item)) {
        label.add("item" + item);
      }
    }
    return new ValidationExample(
        "e" + number,
        "wishes",
        Document.of(JsonNodeFactory.instance.objectNode().put("wish", "wish" + number)),
        labelled ? Map.of("match", label) : Map.of());
  }

  private record Live(double f1, double outputs) {}

  /** The mean over fresh documents, each compared with all items. */
  private Live live(PhysicalOperator physical) throws InterruptedException {
    double f1 = 0;
    double outputs = 0;
    int documents = 20;
    for (int i = 0; i < documents; i++) {
      ValidationExample fresh = example(500 + 23 * i, true);
      OperatorOutcome outcome =
          operators.execute(
              program.operators().getFirst(), physical, fresh.document(), JoinPromiseTest::answer);
      JsonNode label = Objects.requireNonNull(fresh.label("match"));
      int count = ((OperatorOutcome.Kept) outcome).documents().size();
      SampleTask task =
          SampleTask.builder("live" + i, program.name())
              .operator(program.operators().getFirst())
              .physical(physical)
              .exampleId(fresh.id())
              .input(fresh.document())
              .label(label)
              .judge(JUDGE)
              .build();
      Double score = scorer.scoreByLabel(task, outcome, _ -> "name").quality();
      f1 += Objects.requireNonNull(score);
      outputs += count;
    }
    return new Live(f1 / documents, outputs / documents);
  }

  @ParameterizedTest
  @CsvSource({"true, false", "true, true", "false, false"})
  void aJoinIsPromisedAsItBehavesWithAllItems(boolean labelled, boolean embeddings)
      throws InterruptedException {
    PhysicalOperator physical =
        embeddings ? new EmbeddingJoin(MODEL, "circle", null, null) : new NestedLoopsJoin(MODEL);
    double quality = 0;
    double outputs = 0;
    int runs = 6;
    PhysicalOperator chosen = physical;
    for (int run = 0; run < runs; run++) {
      PhysicalPlan plan = search(physical, labelled, run);
      quality += plan.choice().estimate().quality() / runs;
      Map<String, StepEstimate> basis = Objects.requireNonNull(plan.basis().get("match"));
      outputs += Objects.requireNonNull(basis.get(physical.id())).selectivity() / runs;
      chosen = plan.choice().steps().getFirst().physical();
    }
    Live live = live(chosen);

    assertThat(live(new NestedLoopsJoin(MODEL)).f1()).isLessThan(0.4);
    assertThat(quality).isCloseTo(live.f1(), within(0.12));
    assertThat(outputs).isCloseTo(live.outputs(), within(3.5));
  }

  /** The poor embedder loses half of the matches. */
  @ParameterizedTest
  @CsvSource({"circle, true", "circle, false", "poor, true", "poor, false"})
  void aChoiceIsPromisedWithWhatItsShortlistLoses(String embedder, boolean labelled)
      throws InterruptedException {
    PhysicalOperator physical = new ChoiceJoin(CAREFUL, embedder, 30);
    double quality = 0;
    int runs = 3;
    for (int run = 0; run < runs; run++) {
      quality += search(physical, labelled, run).choice().estimate().quality() / runs;
    }
    Live live = live(physical);

    assertThat(live.f1())
        .isBetween(embedder.equals(POOR) ? 0.5 : 0.99, embedder.equals(POOR) ? 0.8 : 1);
    assertThat(quality).isCloseTo(live.f1(), within(labelled ? 0.05 : 0.12));
  }

  /** Of the same model, a choice costs a hundredth of nested loops. */
  @ParameterizedTest
  @CsvSource({
    "maximize quality, poor, nested-loops-join(gpt-4o)",
    "minimize cost subject to quality >= 0.75, poor, nested-loops-join(gpt-4o)",
    "minimize cost subject to quality >= 0.75, circle, 'choice-join(gpt-4o,circle,k=30)'",
    "minimize cost, poor, 'choice-join(gpt-4o,poor,k=30)'"
  })
  void nestedLoopsAreChosenWhereTheShortlistLosesMatches(
      String objective, String embedder, String chosen) throws InterruptedException {
    List<PhysicalOperator> both =
        List.of(new NestedLoopsJoin(CAREFUL), new ChoiceJoin(CAREFUL, embedder, 30));
    PhysicalPlan plan =
        search(program.withObjective(ObjectiveParser.parse(objective)), both, true, 1);

    assertThat(plan.choice().steps().getFirst().physical().id()).isEqualTo(chosen);
  }

  private PhysicalPlan search(PhysicalOperator physical, boolean labelled, int run)
      throws InterruptedException {
    return search(program, List.of(physical), labelled, run);
  }

  private PhysicalPlan search(
      Program wanted, List<PhysicalOperator> space, boolean labelled, int run)
      throws InterruptedException {
    SampleRunner samples =
        new SampleRunner(operators, scorer, TokenCounter.of(CATALOGUE), InstantSource.system());
    List<ValidationExample> examples = new ArrayList<>();
    for (int i = 0; i < EXAMPLES; i++) {
      examples.add(example(400 * run % 499 + 17 * i + run, labelled));
    }
    return Objects.requireNonNull(
        OfflineSearch.run(
                wanted,
                examples,
                LoopSettings.builder(
                        run,
                        _ ->
                            new RandomSampling(
                                Reservoir.seeded(run), space.size(), space.size() * EXAMPLES),
                        _ -> Map.of("match", space),
                        CATALOGUE)
                    .build(),
                task -> samples.run(task, JoinPromiseTest::answer))
            .plan());
  }
}
