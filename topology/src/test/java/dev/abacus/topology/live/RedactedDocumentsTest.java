package dev.abacus.topology.live;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.document.Document;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What operators, groups, results and dead letters have of values that a source redacts. */
class RedactedDocumentsTest extends StagedFixture {

  private static final String PROGRAM =
      ONE_SOURCE.replace("topic: in ", "topic: in, redact: REDACT ")
          + TITLE
          + """
            - aggregate: daily
              by: [who]
              window: { tumbling: 10s }
              instruction: Summarise.
              reads: [text]
              writes: { summary: string }
              compute: { n: count }
            - map: note
              instruction: Write to them.
              writes: { note: string }
          """;

  private final List<Document> seen = new CopyOnWriteArrayList<>();

  private Pipeline redacting(String redact) {
    return open(PROGRAM.replace("REDACT", redact))
        .operator("title", document -> added(document, "title", document.get("who").asText()))
        .operator(
            "daily",
            group -> {
              seen.add(group);
              var rest = group.toJson();
              rest.put("summary", rest.path("members").findValuesAsText("text").toString());
              rest.remove("members");
              return List.of(Document.of(rest));
            })
        .operator(
            "note", document -> added(document, "note", "to " + document.get("who").asText()));
  }

  private @Nullable List<Document> added(Document document, String field, String text) {
    seen.add(document);
    return document.toString().contains("fail")
        ? null
        : List.of(document.with(field, TextNode.valueOf(text)));
  }

  private List<String> results(Pipeline p) {
    p.send("in", "1", "{\"who\":\"ann@example.com\",\"text\":\"1 to bob@example.com\"}", 1);
    p.send("in", "2", "{\"who\":\"bob@example.com\",\"text\":\"2 to ann@example.com\"}", 2);
    p.send("in", "3", "{\"who\":\"ann@example.com\",\"text\":\"3 from ann@example.com\"}", 3);
    p.watermark("in", 1000);
    assertThat(seen).hasSize(3 + 2 + 2);
    assertThat(seen.toString()).contains("[EMAIL_1]", "[EMAIL_2]").doesNotContain("example.com");
    return p.results();
  }

  @Test
  void groupsHaveTheValuesOperatorsTheTokensAndResultsTheValues() {
    assertThat(results(redacting("{ kinds: [email], restore: true }")))
        .containsExactlyInAnyOrder(
            "ann@example.com {\"who\":\"ann@example.com\",\"n\":2,"
                + "\"summary\":\"[1 to bob@example.com, 3 from ann@example.com]\","
                + "\"note\":\"to ann@example.com\"}",
            "bob@example.com {\"who\":\"bob@example.com\",\"n\":1,"
                + "\"summary\":\"[2 to ann@example.com]\",\"note\":\"to bob@example.com\"}");
  }

  @Test
  void withoutRestoreOnlyKeysOfResultsHaveTheValues() {
    assertThat(results(redacting("[email]")))
        .containsExactlyInAnyOrder(
            "ann@example.com {\"who\":\"[EMAIL_1]\",\"n\":2,"
                + "\"summary\":\"[1 to [EMAIL_2], 3 from [EMAIL_1]]\",\"note\":\"to [EMAIL_1]\"}",
            "bob@example.com {\"who\":\"[EMAIL_1]\",\"n\":1,"
                + "\"summary\":\"[2 to [EMAIL_2]]\",\"note\":\"to [EMAIL_1]\"}");
  }

  @Test
  void aDeadLetterIsTheRecordOfTheSource() {
    Pipeline p = redacting("[email]");
    String document = "{\"who\":\"ann@example.com\",\"text\":\"fail\"}";
    p.send("in", "1", document, 1);
    assertThat(seen.toString()).contains("[EMAIL_1]").doesNotContain("example.com");
    assertThat(p.letters())
        .singleElement()
        .satisfies(letter -> assertThat(new String(letter.value(), UTF_8)).isEqualTo(document));
  }

  @Test
  void aRestartGoesOnWithTheTokensAndTheValues() {
    Pipeline p = redacting("{ kinds: [email], restore: true }");
    p.hold = true;
    p.send("in", "1", "{\"who\":\"ann@example.com\",\"text\":\"1\"}", 1);
    p.restart();
    p.watermark("in", 1000);
    assertThat(p.results())
        .containsExactly(
            "ann@example.com {\"who\":\"ann@example.com\",\"n\":1,"
                + "\"summary\":\"[1]\",\"note\":\"to ann@example.com\"}");
    assertThat(seen.toString()).doesNotContain("example.com");
  }
}
