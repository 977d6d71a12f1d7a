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
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Reference;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.io.ProgramParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Data sets with references, and the mail data set; synthetic data, and real data if present. */
class ReferenceDatasetsTest {

  @TempDir Path from;
  @TempDir Path to;

  private Program program() throws Exception {
    return new ProgramParser(ModelCatalogue.builtIn())
        .parse(Files.readString(to.resolve("program.yaml")));
  }

  private void file(String name, String... lines) throws Exception {
    Files.writeString(from.resolve(name), String.join("\n", lines));
  }

  private List<JsonNode> written(String name) {
    return JsonLines.read(to.resolve(name)).stream()
        .map(line -> (JsonNode) line.object().toJson())
        .toList();
  }

  /** Checks that `run` can read the written files. */
  private void assertThatTheFilesFitTheProgram() throws Exception {
    Program program = program();
    assertThat(InputDocument.read(to.resolve("documents.jsonl"), program.sources().getFirst()))
        .isNotEmpty();
    assertThat(ExampleFile.read(to.resolve("validation.jsonl"), program)).isNotEmpty();
    for (Reference reference : program.references()) {
      assertThat(InputDocument.read(to.resolve(reference.name() + ".jsonl"), reference))
          .isNotEmpty();
    }
  }

  private void biodex() throws Exception {
    file(
        "reaction_vocabulary.jsonl",
        "{\"label\": \"Nausea\", \"train_prior\": 0.1}",
        "{\"label\": \"Large intestine perforation\", \"train_prior\": 0.0}");
    String report =
        "{\"id\": \"r1\", \"title\": \"A case\", \"text\": \"A man came. He felt nausea at night.\\nThe intestine had a"
            + " perforation.\", \"reactions\": [\"Nausea\", \"Large intestine perforation\"]}";
    file("train.jsonl", report);
    file("validation.jsonl", report.replace("r1", "r2"));
  }

  @Test
  void reportsBecomeARankingOfTerms() throws Exception {
    biodex();

    Dataset.Written written = Biodex.read(from).writeTo(to);

    assertThat(written).isEqualTo(new Dataset.Written("train", 1, 1, 2, Map.of("terms", 2)));
    assertThatTheFilesFitTheProgram();
    JsonNode labels = written("validation.jsonl").getFirst().path("labels");
    assertThat(labels.path("candidates")).hasSize(2);
    assertThat(labels.at("/rank/ranked_terms/0").asText()).isEqualTo("Nausea");
    JsonNode answer = written("answers.jsonl").getFirst();
    assertThat(answer.at("/evidence/reactions/0").asText()).isEqualTo("He felt nausea at night.");
    assertThat(answer.at("/evidence/reactions/1").asText())
        .isEqualTo("The intestine had a perforation.");
    // The text names one of two reactions literally.
    assertThat(answer.at("/difficulty/ranked_terms").asDouble()).isEqualTo(0.4);
  }

  @Test
  void refusesAReactionOutsideTheVocabulary() throws Exception {
    biodex();
    file(
        "train.jsonl",
        "{\"id\": \"r\", \"title\": \"t\", \"text\": \"x\", \"reactions\": [\"Nosea\"]}");

    assertThatThrownBy(() -> Biodex.read(from))
        .isInstanceOf(InvalidFileException.class)
        .hasMessageContaining("train.jsonl, line 1: the reaction 'Nosea'");
  }

  private void mmqa() throws Exception {
    file(
        "texts.jsonl",
        "{\"id\": \"t1\", \"title\": \"Ilse\", \"text\": \"Ilse was born in Bremen. She sang.\", \"gold\": true}",
        "{\"id\": \"t2\", \"title\": \"Noise\", \"text\": \"Nothing.\", \"gold\": false}");
    file(
        "tables.jsonl",
        "{\"id\": \"b1\", \"title\": \"Ilse\", \"table_name\": \"Songs\", \"header\": [\"Year\", \"Song\"],"
            + " \"rows\": [[\"1950\", \"Rain\"], [\"1951\", \"Snow\"]], \"gold\": true}");
    file(
        "images.jsonl",
        "{\"id\": \"i1\", \"title\": \"Harbour\", \"file\": \"images/i1.png\", \"gold\": true}",
        "{\"id\": \"i2\", \"title\": \"Lost\", \"file\": \"images/i2.jpg\", \"gold\": true}");
    Files.createDirectories(from.resolve("images"));
    Files.write(from.resolve("images/i1.png"), new byte[] {1, 2, 3});
    String question =
        "{\"qid\": \"q1\", \"split\": \"train\", \"question\": \"When did she who was born in Bremen sing Snow?\","
            + " \"answers\": [\"1951\", \"red\"], \"supporting_text_ids\": [\"t1\"], \"supporting_table_ids\": [\"b1\"],"
            + " \"supporting_image_ids\": []}";
    file("questions.jsonl", question, question.replace("q1", "q2").replace("train", "validation"));
  }

  @Test
  void questionsBecomeJoinsWithThreeReferences() throws Exception {
    mmqa();

    Dataset.Written written = Mmqa.read(from).writeTo(to);

    assertThat(written.references()).isEqualTo(Map.of("texts", 1, "tables", 1, "images", 2));
    assertThatTheFilesFitTheProgram();
    JsonNode labels = written("validation.jsonl").getFirst().path("labels");
    assertThat(labels.path("with-texts")).extracting(JsonNode::asText).containsExactly("t1");
    assertThat(labels.path("with-images")).isEmpty();
    assertThat(written("tables.jsonl").getFirst().path("text").asText())
        .isEqualTo("Year | Song\n1950 | Rain\n1951 | Snow");
  }

  @Test
  void includesTheImageIfPresent() throws Exception {
    mmqa();

    Mmqa.read(from).writeTo(to);

    List<JsonNode> images = written("images.jsonl");
    assertThat(images.getFirst().at("/image/mediaType").asText()).isEqualTo("image/png");
    assertThat(images.getFirst().at("/image/bytes").asText()).isEqualTo("AQID");
    assertThat(images.getLast().has("image")).isFalse();
  }

  @Test
  void evidenceOfAnAnswerIsInASupportingItem() throws Exception {
    mmqa();

    Mmqa.read(from).writeTo(to);

    JsonNode answer = written("answers.jsonl").getFirst();
    assertThat(answer.at("/evidence/answers/0").asText()).isEqualTo("1951 | Snow");
    assertThat(answer.at("/evidence/answers/1").asText()).isEqualTo("t1");
    assertThat(answer.at("/answers/image_query").isNull()).isTrue();
    assertThat(answer.path("conditions").path(Mmqa.Kind.TABLE.condition).get(0).asText())
        .isEqualTo("b1");
    assertThat(
            program().operators().stream()
                .filter(ReferenceJoin.class::isInstance)
                .map(operator -> ((ReferenceJoin) operator).condition()))
        .containsExactly(
            Mmqa.Kind.TEXT.condition, Mmqa.Kind.TABLE.condition, Mmqa.Kind.IMAGE.condition);
  }

  @Test
  void refusesAMissingSupportingItem() throws Exception {
    mmqa();
    file("texts.jsonl", "{\"id\": \"t9\", \"title\": \"x\", \"text\": \"x\", \"gold\": true}");

    assertThatThrownBy(() -> Mmqa.read(from))
        .hasMessageContaining("questions.jsonl, line 1: the supporting text 't1'");
  }

  private static String mail(String id, String split, String text, boolean relevant) {
    return "{\"id\": \"%s\", \"split\": \"%s\", \"text\": \"From: a@b.c\\n%s\", \"sender\": \"a@b.c\", \"subject\": \"\", \"relevant\": %s}"
        .formatted(id, split, text, relevant);
  }

  @Test
  void mailsBecomeAFilterWithTwoConditions() throws Exception {
    file(
        "emails.jsonl",
        mail("m1", "train", "Close the Raptor deal.", true),
        mail("m2", "train", "The Times wrote: Chewco was a fraud.", false),
        mail("m3", "validation", "Lunch?", false));

    Enron.read(from).writeTo(to);

    assertThatTheFilesFitTheProgram();
    SemanticFilter filter = (SemanticFilter) Objects.requireNonNull(program().operator("relevant"));
    assertThat(filter.conditions()).containsExactly(Enron.REFERS, Enron.OWN_WORDS);
    assertThat(filter.condition()).isEqualTo(Enron.BOTH);
    JsonNode news = written("answers.jsonl").get(1);
    assertThat(news.path("conditions").path(Enron.REFERS).asBoolean()).isTrue();
    assertThat(news.path("conditions").path(Enron.OWN_WORDS).asBoolean(true)).isFalse();
    assertThat(news.path("evidence").path(Enron.REFERS).get(0).asText())
        .isEqualTo("The Times wrote: Chewco was a fraud.");
    assertThat(written("validation.jsonl").getFirst().at("/labels/relevant").asBoolean(true))
        .isFalse();
  }

  @Test
  void readsTheRealReports() throws Exception {
    Path data = SharedData.folder("biodex");
    assumeThat(data).as("no shared data beside the project").exists();

    Dataset.Written written = Biodex.read(data).writeTo(to);

    assertThat(written.documents()).isGreaterThanOrEqualTo(24);
    assertThat(written.references()).containsEntry("terms", 6047);
    assertThatTheFilesFitTheProgram();
  }

  @Test
  void readsTheRealQuestions() throws Exception {
    Path data = SharedData.folder("mmqa");
    assumeThat(data).as("no shared data beside the project").exists();

    Dataset.Written written = Mmqa.read(data).writeTo(to);

    assertThat(written.documents()).isGreaterThanOrEqualTo(20);
    assertThat(written.validation()).isEqualTo(20);
    assertThatTheFilesFitTheProgram();
  }

  @Test
  void readsTheRealMails() throws Exception {
    Path data = SharedData.folder("enron");
    assumeThat(data).as("no shared data beside the project").exists();

    Dataset.Written written = Enron.read(data).writeTo(to);

    assertThat(written.documents()).isGreaterThanOrEqualTo(40);
    assertThat(written.validation()).isEqualTo(40);
    assertThatTheFilesFitTheProgram();
  }
}
