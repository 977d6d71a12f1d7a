package dev.abacus.deploy.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.deploy.simulator.Letters.Letter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Techniques win and lose for realistic reasons. */
class TechniquesTest extends LettersTest {

  private static final String FILLER =
      "The committee took note of the report and went on to the next item of the agenda. ";

  private static String document(String text) {
    return "<document>\n<field name=\"text\">" + text + "</field>\n</document>";
  }

  private static RequestBuilder batch(String model, List<Letter> letters) {
    RequestBuilder ask =
        RequestBuilder.map(model, "")
            .ofFormat(
                "batch_map_output",
                "\"answers\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{"
                    + "\"id\":{\"type\":\"integer\"},\"answer\":{\"type\":\"object\",\"properties\":{"
                    + RequestBuilder.CATEGORY
                    + "}}}}}");
    for (int i = 0; i < letters.size(); i++) {
      ask =
          ask.with(
              "<item id=\"" + (i + 1) + "\">\n" + document(letters.get(i).text()) + "\n</item>");
    }
    return ask;
  }

  private double rightInBatchesOf(int size) {
    int right = 0;
    for (int from = 0; from < letters.all().size(); from += size) {
      List<Letter> some = letters.all().subList(from, from + size);
      for (JsonNode entry : client.answer(batch(MIDDLING, some)).path("answers")) {
        Letter letter = some.get(entry.path("id").asInt() - 1);
        right += entry.at("/answer/category").equals(letter.truth("category")) ? 1 : 0;
      }
    }
    return (double) right / letters.all().size();
  }

  @Test
  void aBatchIsAnsweredByIdAndLosesQualityWithItsSize() {
    double alone = rightInBatchesOf(1);
    double four = rightInBatchesOf(4);
    double forty = rightInBatchesOf(40);

    assertThat(alone).isGreaterThan(0.7);
    assertThat(four).isBetween(alone - 0.2, alone + 0.05);
    assertThat(forty).isLessThan(alone - 0.05).isGreaterThan(0.2);
  }

  private JsonNode passages(String model, String text, String field) {
    RequestBuilder ask =
        RequestBuilder.map(model, "")
            .ofFormat(
                "extract",
                RequestBuilder.property(
                    "passages", "\"type\":\"array\",\"items\":{\"type\":\"string\"}"));
    RequestBuilder listed =
        new RequestBuilder(
            ask.model(),
            0,
            ask.format(),
            ask.schema(),
            ask.system() + "\n<fields>\n- " + field + "\n</fields>",
            List.of());
    return client.answer(listed.about(text)).path("passages");
  }

  @Test
  void textThatACompressorOmitsCannotBeFound() {
    String padding = FILLER.repeat(150);
    int left = 0;
    int lost = 0;
    int found = 0;
    for (Letter letter : letters.all()) {
      String text = padding + letter.text() + " " + padding;
      JsonNode passages = passages(WEAK, text, "clauses (list of string): clauses");
      StringBuilder excerpts = new StringBuilder();
      for (JsonNode passage : passages) {
        assertThat(text).contains(passage.asText());
        excerpts.append(passage.asText()).append("\n…\n");
      }
      JsonNode answer =
          client.answer(
              RequestBuilder.map(STRONG, RequestBuilder.CLAUSES).about(excerpts.toString()));
      Set<String> said = new HashSet<>();
      answer.path("clauses").forEach(clause -> said.add(clause.asText()));
      for (JsonNode clause : letter.truth("clauses")) {
        boolean shown = excerpts.indexOf(clause.asText()) >= 0;
        left += shown ? 1 : 0;
        lost += shown ? 0 : 1;
        found += said.contains(clause.asText()) ? 1 : 0;
        assertThat(shown || !said.contains(clause.asText())).isTrue();
      }
      assertThat(excerpts.length()).isLessThan(text.length() / 4);
    }

    assertThat(lost).as("a weak compressor overlooks some").isPositive();
    assertThat(found).as("a strong reader finds most of what is left").isGreaterThan(left * 6 / 10);
  }

  private int clauses(JsonNode answer, Letter letter) {
    Set<JsonNode> said = new HashSet<>();
    answer.path("clauses").forEach(said::add);
    int hits = 0;
    for (JsonNode clause : letter.truth("clauses")) {
      hits += said.contains(clause) ? 1 : 0;
    }
    return hits;
  }

  @Test
  void aLongDocumentInPartsLosesLessThanInOne() {
    String padding = FILLER.repeat(250);
    int whole = 0;
    int parts = 0;
    for (Letter letter : letters.all().subList(0, 80)) {
      RequestBuilder ask = RequestBuilder.map(MIDDLING, RequestBuilder.CLAUSES);
      whole += clauses(client.answer(ask.about(padding + letter.text() + " " + padding)), letter);
      ArrayNode union = JsonNodeFactory.instance.arrayNode();
      for (String part : List.of(padding, letter.text(), padding)) {
        client.answer(ask.about(part)).path("clauses").forEach(union::add);
      }
      parts += clauses(JsonNodeFactory.instance.objectNode().set("clauses", union), letter);
    }

    assertThat(parts).isGreaterThan(whole);
  }

  @Test
  void aMergerSeesOnlyTheAnswersToTheParts() {
    RequestBuilder merge = RequestBuilder.map(STRONG, RequestBuilder.REFERENCE);
    String say = "<part n=\"%d\">\n{\"reference\":%s}\n</part>";
    RequestBuilder majority =
        merge
            .with(say.formatted(1, "\"AB-1\""))
            .with(say.formatted(2, "\"CD-2\""))
            .with(say.formatted(4, "\"CD-2\""));

    assertThat(client.answer(majority).path("reference").asText()).isEqualTo("CD-2");
    assertThat(client.answer(merge.with(say.formatted(1, "null"))).path("reference").asText(""))
        .isEmpty();
  }

  @Test
  void gleaningFindsSomeOfTheMissedValues() {
    int before = 0;
    int after = 0;
    int all = 0;
    int asked = 0;
    for (Letter letter : letters.all()) {
      RequestBuilder ask = RequestBuilder.map(WEAK, RequestBuilder.CLAUSES).about(letter.text());
      JsonNode draft = client.answer(ask);
      String drafted = "<draft>\n" + draft + "\n</draft>";
      RequestBuilder check =
          RequestBuilder.map("gpt-4o", "")
              .ofFormat(
                  "gaps",
                  RequestBuilder.property(
                      "missing", "\"type\":\"array\",\"items\":{\"type\":\"string\"}"))
              .about(letter.text())
              .with(drafted);
      JsonNode missing = client.answer(check).path("missing");
      JsonNode second = draft;
      if (!missing.isEmpty()) {
        asked++;
        List<String> lines = new ArrayList<>();
        missing.forEach(line -> lines.add("- " + line.asText()));
        second =
            client.answer(
                ask.with(drafted)
                    .with("<missing>\n" + String.join("\n", lines) + "\n</missing>")
                    .with("<step>\nThe draft above lacks something.\n</step>"));
      }
      before += clauses(draft, letter);
      after += Math.max(clauses(draft, letter), clauses(second, letter));
      all += letter.truth("clauses").size();
    }

    assertThat(asked).isBetween(5, letters.all().size() - 5);
    assertThat(after).isGreaterThan(before + 10).isLessThan(all);
  }

  @Test
  void aConjunctionIsDecidedConditionByCondition() {
    Letter complaint = letters.all().stream().filter(Letter::complains).findFirst().orElseThrow();
    RequestBuilder filter = RequestBuilder.filter(STRONG);
    String both = "All of these hold:\n- " + Letters.CONDITION + "\n- " + Letters.CONDITION;
    RequestBuilder twice =
        new RequestBuilder(
            filter.model(),
            0,
            filter.format(),
            filter.schema(),
            "Decide.\n<condition>\n" + both + "\n</condition>",
            List.of());
    RequestBuilder below =
        new RequestBuilder(
            filter.model(), 0, filter.format(), filter.schema(), "Decide.", List.of());
    RequestBuilder behind =
        below.about(complaint.text()).with("<condition>\n" + Letters.CONDITION + "\n</condition>");

    assertThat(client.answer(twice.about(complaint.text())).path("satisfied").asBoolean()).isTrue();
    assertThat(client.answer(behind).path("satisfied").asBoolean()).isTrue();
  }

  @Test
  void aStepIsNotPartOfTheDocument() {
    Letter letter = letters.all().getFirst();
    RequestBuilder plain =
        RequestBuilder.map(STRONG, RequestBuilder.REFERENCE).about(letter.text());

    assertThat(client.answer(plain.with("<step>\nThis is part 1 of 2.\n</step>")))
        .isEqualTo(client.answer(plain));
  }
}
