package dev.abacus.topology.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.control.OperatorFlow;
import dev.abacus.schemas.kafka.Headers;
import org.junit.jupiter.api.Test;

/** Relational algebra over stages, without a model: selection, division, count distinct, order. */
class StagedRelationsTest extends StagedFixture {

  private static final String CITIES =
      ONE_SOURCE
          + """
            - filter: certain
              where: doc.score >= 0.5
            - aggregate: seen
              by: [city]
              window: { tumbling: 10s }
              compute: { animals: list(animal), kinds: distinct(animal), pictures: count }
            - filter: with-both
              where: '["zebra", "impala"].all(animal, animal in doc.animals)'
            - limit: 1
              window: 10s
              order: [kinds desc, city]
          """;

  private static String picture(String city, String animal, double score) {
    return "{\"city\":\"%s\",\"animal\":\"%s\",\"score\":%s}".formatted(city, animal, score);
  }

  @Test
  void theGroupsThatHaveAllOfSeveralValuesAreFoundInCode() {
    Pipeline p = open(CITIES);
    p.send("in", "1", picture("arusha", "zebra", 0.9), 1);
    p.send("in", "2", picture("arusha", "zebra", 0.9), 2);
    p.send("in", "3", picture("arusha", "impala", 0.4), 3); // not certain
    p.send("in", "4", picture("mbeya", "impala", 0.9), 4);
    p.send("in", "5", picture("mbeya", "zebra", 0.9), 5);
    p.send("in", "6", picture("mbeya", "impala", 0.9), 6);
    p.send("in", "7", picture("dodoma", "impala", 0.9), 7);
    p.send("in", "8", picture("dodoma", "zebra", 0.9), 8);
    p.send("in", "9", picture("tanga", "lion", 0.9), 9);
    p.watermark("in", 100);

    assertThat(p.results())
        .containsExactly(
            "dodoma {\"city\":\"dodoma\",\"pictures\":2,\"animals\":[\"impala\",\"zebra\"],\"kinds\":2}");
    assertThat(p.letters()).isEmpty();
    assertThat(p.flows())
        .contains(new OperatorFlow("certain", 9, 8), new OperatorFlow("with-both", 4, 2));
  }

  @Test
  void aDocumentWithoutAValueForTheConditionIsADeadLetter() {
    Pipeline p = open(CITIES);
    p.send("in", "1", "{\"city\":\"arusha\"}", 1);

    assertThat(p.letters())
        .singleElement()
        .satisfies(letter ->
            assertThat(Pipeline.header(letter, Headers.EXCEPTION_MESSAGE))
                .contains("'where' of filter 'certain'", "score"));
  }
}
