package dev.abacus.optimizer.loop.prompt;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.ValidationExample;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FieldOrderTest {

  private static ValidationExample example(int number, Map<String, String> fields) {
    Document document = Document.empty();
    for (Map.Entry<String, String> field : fields.entrySet()) {
      document = document.with(field.getKey(), JsonNodeFactory.instance.textNode(field.getValue()));
    }
    return new ValidationExample("e" + number, "mails", document, Map.of());
  }

  private static List<ValidationExample> mails(int number) {
    List<ValidationExample> examples = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      examples.add(
          example(
              i,
              Map.of(
                  "mail", "mail number " + i,
                  "terms", ("terms of account " + i % 3 + " ").repeat(20),
                  "country", "country " + i % 2)));
    }
    return examples;
  }

  @Test
  void fieldsThatRepeatStandBeforeThoseThatDoNot() {
    List<String> written = List.of("mail", "country", "terms");
    assertThat(FieldOrder.of(written, written, mails(12)))
        .containsExactly("terms", "country", "mail");
  }

  @Test
  void theWrittenOrderStaysIfNothingRepeatsOrIsKnown() {
    List<String> written = List.of("mail", "terms");
    assertThat(FieldOrder.of(written, written, mails(1))).isEqualTo(written);
    assertThat(FieldOrder.of(written, written, List.of())).isEqualTo(written);
    assertThat(FieldOrder.of(List.of("absent", "mail"), List.of("absent", "mail"), mails(9)))
        .containsExactly("absent", "mail");
  }

  @Test
  void thePresentOrderStaysIfItIsAboutAsGood() {
    List<String> written = List.of("mail", "country", "terms");
    List<String> present = List.of("country", "terms", "mail");
    assertThat(FieldOrder.of(written, present, mails(12))).isEqualTo(present);
    assertThat(FieldOrder.of(written, List.of("country", "mail", "terms"), mails(12)))
        .containsExactly("terms", "country", "mail");
  }

  /** No order shares more than the chosen one, by comparing the examples character by character. */
  @Test
  void noOrderSharesMore() {
    Random random = new Random(3);
    for (int round = 0; round < 200; round++) {
      int fields = 2 + random.nextInt(4);
      List<String> names = new ArrayList<>();
      for (int field = 0; field < fields; field++) {
        names.add("f" + field);
      }
      int[] values = random.ints(fields, 1, 12).toArray();
      int[] lengths = random.ints(fields, 1, 30).toArray();
      List<ValidationExample> examples = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        Map<String, String> document = new HashMap<>();
        for (int field = 0; field < fields; field++) {
          // All values of a field are as long as each other.
          document.put(
              names.get(field),
              "%02d".formatted(random.nextInt(values[field])).repeat(lengths[field]));
        }
        examples.add(example(i, document));
      }
      List<String> worst = names;
      long least = Long.MAX_VALUE;
      long most = 0;
      for (List<String> order : orders(names)) {
        long shared = shared(order, examples);
        most = Math.max(most, shared);
        if (shared < least) {
          least = shared;
          worst = order;
        }
      }
      List<String> chosen = FieldOrder.of(names, worst, examples);
      long all = examples.stream().mapToLong(one -> one.document().textLength()).sum();
      if (most - least > 0.05 * all) {
        assertThat(shared(chosen, examples)).as("round %d", round).isEqualTo(most);
      } else {
        assertThat(chosen).as("round %d", round).isEqualTo(worst);
      }
    }
  }

  private static List<List<String>> orders(List<String> names) {
    if (names.size() == 1) {
      return List.of(names);
    }
    List<List<String>> orders = new ArrayList<>();
    for (String first : names) {
      List<String> others = new ArrayList<>(names);
      others.remove(first);
      for (List<String> rest : orders(others)) {
        List<String> order = new ArrayList<>(List.of(first));
        order.addAll(rest);
        orders.add(Collections.unmodifiableList(order));
      }
    }
    return orders;
  }

  /** Characters of the whole fields at the beginning that another example has too. */
  private static long shared(List<String> order, List<ValidationExample> examples) {
    long sum = 0;
    for (ValidationExample one : examples) {
      long longest = 0;
      for (ValidationExample other : examples) {
        long common = 0;
        for (String field : order) {
          String value = one.document().get(field).textValue();
          if (one.id().equals(other.id())
              || !value.equals(other.document().get(field).textValue())) {
            break;
          }
          common += value.length();
        }
        longest = Math.max(longest, common);
      }
      sum += longest;
    }
    return sum;
  }
}
