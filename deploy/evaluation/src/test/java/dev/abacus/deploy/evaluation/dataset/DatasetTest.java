package dev.abacus.deploy.evaluation.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.deploy.file.InvalidFileException;
import dev.abacus.deploy.file.JsonLines;
import dev.abacus.deploy.job.ExampleFile;
import dev.abacus.deploy.job.InputDocument;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.schemas.program.io.ProgramParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatasetTest {

  @TempDir Path from;
  @TempDir Path to;

  private static Program program(Path folder) throws Exception {
    return new ProgramParser(ModelCatalogue.builtIn())
        .parse(Files.readString(folder.resolve("program.yaml")));
  }

  private void banking(String... messages) throws Exception {
    Files.writeString(
        from.resolve("intents.jsonl"),
        """
        {"label": "card_arrival", "title": "card arrival"}
        {"label": "card_linking", "title": "card linking"}
        {"label": "reverted_card_payment?", "title": "reverted card payment?"}
        """);
    Files.writeString(from.resolve("messages.jsonl"), String.join("\n", messages));
  }

  private static String message(String id, String split, String intent) {
    return "{\"id\": \"%s\", \"split\": \"%s\", \"text\": \"Where is %s?\", \"intent\": \"%s\"}"
        .formatted(id, split, id, intent);
  }

  @Test
  void aSeedDealsOutDocumentsAndExamplesAnew() throws Exception {
    String[] messages = new String[20];
    for (int i = 0; i < messages.length; i++) {
      messages[i] = message("m" + i, i < 15 ? "train" : "validation", "card_arrival");
    }
    banking(messages);
    Dataset published = Banking77.read(from);

    published.resplit(7).writeTo(to.resolve("7"));
    published.resplit(7).writeTo(to.resolve("7 again"));
    published.resplit(8).writeTo(to.resolve("8"));

    List<String> examples = Files.readAllLines(to.resolve("7/validation.jsonl"));
    assertThat(examples).hasSize(5);
    assertThat(Files.readAllLines(to.resolve("7/documents.jsonl"))).hasSize(15);
    assertThat(Files.readAllLines(to.resolve("7/answers.jsonl"))).doesNotHaveDuplicates();
    assertThat(Files.readAllLines(to.resolve("7 again/validation.jsonl"))).isEqualTo(examples);
    assertThat(Files.readAllLines(to.resolve("8/validation.jsonl"))).isNotEqualTo(examples);
  }

  @Test
  void bankingMessagesBecomeATriageProgram() throws Exception {
    banking(
        message("a", "train", "card_arrival"),
        message("b", "validation", "reverted_card_payment?"),
        message("c", "train", "card_linking"));

    Dataset.Written written = Banking77.read(from).writeTo(to);

    assertThat(written).isEqualTo(new Dataset.Written("train", 2, 1, 3, Map.of()));
    Program program = program(to);
    assertThat(InputDocument.read(to.resolve("documents.jsonl"), program.sources().getFirst()))
        .extracting(InputDocument::key)
        .containsExactly("a", "c");
    JsonNode example =
        ExampleFile.read(to.resolve("validation.jsonl"), program).values().iterator().next();
    assertThat(example.at("/labels/is-problem").asBoolean()).isTrue();
    assertThat(example.at("/labels/classify/intent").asText()).isEqualTo("reverted_card_payment?");
    assertThat(example.at("/document").has("intent")).isFalse();
  }

  @Test
  void usesTheTestSplitIfPresent() throws Exception {
    banking(
        message("a", "train", "card_arrival"),
        message("b", "test", "card_arrival"),
        message("v", "validation", "card_arrival"));

    assertThat(Banking77.read(from).writeTo(to))
        .isEqualTo(new Dataset.Written("test", 1, 1, 2, Map.of()));
  }

  @Test
  void bankingAnswersContainTruthAndDifficulty() throws Exception {
    banking(message("a", "train", "card_arrival"));

    Banking77.read(from).writeTo(to);

    JsonNode answer = JsonLines.read(to.resolve("answers.jsonl")).getFirst().object().toJson();
    assertThat(answer.at("/answers/intent").asText()).isEqualTo("card_arrival");
    assertThat(answer.path("conditions").path(Banking77.CONDITION).asBoolean()).isTrue();
    assertThat(answer.at("/evidence/intent/0").asText()).isEqualTo("Where is a?");
    // "card linking" shares one of three words: 0.1 + 0.7 / 3.
    assertThat(answer.at("/difficulty/intent").asDouble()).isEqualTo(0.33);
    assertThat(answer.path("difficulty").path(Banking77.CONDITION).asDouble()).isEqualTo(0.4);
  }

  @Test
  void refusesAnUnknownIntentWithFileAndLine() throws Exception {
    banking(message("a", "train", "card_arrival"), message("b", "train", "card_arival"));

    assertThatThrownBy(() -> Banking77.read(from))
        .isInstanceOf(InvalidFileException.class)
        .hasMessageContaining("messages.jsonl, line 2: the intent 'card_arival'");
  }

  private void cuad(String clauses) throws Exception {
    Files.writeString(
        from.resolve("categories.jsonl"),
        IntStream.range(0, 41)
            .mapToObj(i -> "{\"name\": \"Kind-Of %d\"}".formatted(i))
            .collect(Collectors.joining("\n")));
    String line =
        "{\"id\": \"c1\", \"contract_type\": \"Lease\", \"text\": \"By A. And B.\", \"clauses\": {%s}}"
            .formatted(clauses);
    Files.writeString(from.resolve("train.jsonl"), line);
    Files.writeString(from.resolve("validation.jsonl"), line.replace("c1", "c2"));
  }

  private static String clauses(String first) {
    return "\"Kind-Of 0\": "
        + first
        + IntStream.range(1, 41)
            .mapToObj(i -> ", \"Kind-Of %d\": []".formatted(i))
            .collect(Collectors.joining());
  }

  @Test
  void contractsBecomeListsOfSpans() throws Exception {
    cuad(clauses("[{\"start\": 0, \"text\": \"By A.\"}, {\"start\": 6, \"text\": \"And B.\"}]"));

    Dataset.Written written = Cuad.read(from).writeTo(to);

    assertThat(written).isEqualTo(new Dataset.Written("train", 1, 1, 2, Map.of()));
    JsonNode answer = JsonLines.read(to.resolve("answers.jsonl")).getFirst().object().toJson();
    assertThat(answer.at("/answers/kind_of_0/1").asText()).isEqualTo("And B.");
    assertThat(answer.at("/answers/kind_of_40")).isEmpty();
    assertThat(answer.at("/evidence/kind_of_0")).hasSize(2);
    assertThat(answer.at("/difficulty/kind_of_0").asDouble()).isEqualTo(0.4);
    assertThat(answer.at("/difficulty/kind_of_1").asDouble()).isEqualTo(0.3);
  }

  @Test
  void refusesASpanThatIsNotInTheText() throws Exception {
    cuad(clauses("[{\"start\": 1, \"text\": \"By A.\"}]"));

    assertThatThrownBy(() -> Cuad.read(from))
        .hasMessageContaining("train.jsonl, line 1: a span of 'Kind-Of 0'");
  }

  @Test
  void fieldNamesFollowTheCategories() {
    assertThat(
            List.of(
                "Rofr/Rofo/Rofn", "No-Solicit Of Customers", "Unlimited/All-You-Can-Eat-License"))
        .extracting(Cuad::field)
        .containsExactly(
            "rofr_rofo_rofn", "no_solicit_of_customers", "unlimited_all_you_can_eat_license");
  }

  @Test
  void readsTheRealBankingData() throws Exception {
    Path data = SharedData.folder("banking77");
    assumeThat(data).as("no shared data beside the project").exists();

    Dataset.Written written = Banking77.read(data).writeTo(to);

    assertThat(written.documents()).isGreaterThanOrEqualTo(770);
    assertThat(written.validation()).isEqualTo(385);
    assertThat(((SemanticMap) program(to).operators().getFirst()).writes().getFirst().type())
        .isEqualTo(new FieldType.StringType(intents(data)));
    assertThat(ExampleFile.read(to.resolve("validation.jsonl"), program(to))).hasSize(385);
  }

  private static List<String> intents(Path data) {
    return JsonLines.read(data.resolve("intents.jsonl")).stream()
        .map(line -> line.text("label"))
        .toList();
  }

  @Test
  void readsTheRealContracts() throws Exception {
    Path data = SharedData.folder("cuad");
    assumeThat(data).as("no shared data beside the project").exists();

    Dataset.Written written = Cuad.read(data).writeTo(to);

    assertThat(written.documents()).isGreaterThanOrEqualTo(30);
    assertThat(written.validation()).isEqualTo(30);
    Program program = program(to);
    assertThat(program.operators().getFirst().writtenFields())
        .containsExactlyInAnyOrderElementsOf(
            JsonLines.read(data.resolve("categories.jsonl")).stream()
                .map(line -> Cuad.field(line.text("name")))
                .toList());
    assertThat(ExampleFile.read(to.resolve("validation.jsonl"), program)).hasSize(30);
  }
}
