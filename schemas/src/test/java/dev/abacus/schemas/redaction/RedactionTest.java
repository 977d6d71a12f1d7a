package dev.abacus.schemas.redaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.InvalidTextException;
import dev.abacus.schemas.program.io.ProgramParser;
import dev.abacus.schemas.program.io.ProgramWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is hidden, what is not, and that the values come back as they were. */
class RedactionTest {

  private static final Redaction ALL =
      new Redaction(List.of(PersonalData.values()), List.of("DE"), true);

  private static final String PROGRAM =
      """
      program: hidden
      sources: { mails: { topic: mails, redact: %s } }
      operators:
        - map: contact
          instruction: Whom should we answer?
          reads: [text]
          writes: { address: { type: string } }
      results: { topic: out }
      """;

  private static String hidden(String text) throws Exception {
    Document document = Document.empty().with("text", TextNode.valueOf(text));
    RedactedDocument redacted = ALL.of(document);
    assertThat(redacted.restore(redacted.document())).isEqualTo(document);
    return redacted.document().get("text").textValue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "Write to jane.o'brien+x@mail.example.co.uk.| Write to [EMAIL_1].",
        "'jane@example.com', <JANE@example.com>| '[EMAIL_1]', <[EMAIL_2]>",
        "jürgen@bücher.example and jürgen@bücher.example| [EMAIL_1] and [EMAIL_1]",
        "IBAN DE89 3704 0044 0532 0130 00 at the bank| IBAN [IBAN_1] at the bank",
        "IBANGB82WEST12345698765432,gb82-west-1234-5698-7654-32| IBAN[IBAN_1],[IBAN_2]",
        "card 4111 1111 1111 1111 12/27| card [CARD_1] 12/27",
        "2 5500-0055-5555-5559 3| 2 [CARD_1] 3",
        "5,378282246310005,3530111333300000| 5,[CARD_1],[CARD_2]",
        "call +44 20 7946 0018 or 030 901820| call [PHONE_1] or [PHONE_2]",
      })
  void valuesAreReplaced(String text, String expected) throws Exception {
    assertThat(hidden(text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "order 4111111111111112 of 2026-11-26",
        "order 4111 1111 1111 1112",
        "parcel 1234567890123452", // the check digit is right, the first digit is no network's
        "DE88 3704 0044 0532 0130 00",
        "XX89 3704 0044 0532 0130 00",
        "DE89 3704 0044 0532 0130",
        "jane@localhost, @example.com, jane@, 50 % @ 2.5",
        "sent at 1732430000000, version 10.0.0.1",
        "+49 30",
        "[EMAIL_1] stays",
      })
  void othersStay(String text) throws Exception {
    assertThat(hidden(text)).isEqualTo(text);
  }

  @Test
  void nestedValuesNumbersAndNamesAreReplacedAndImagesStay() throws Exception {
    Document document =
        Document.parse(
            """
            {"card": 4111111111111111, "count": 4111111111111112, "amount": 41.11,
             "by": {"jane@example.com": ["jane@example.com", true, null]},
             "photo": {"uri": "https://example.com/a@b.com.png", "alt": "of jane@example.com"}}
            """);
    RedactedDocument redacted = ALL.of(document);
    assertThat(redacted.document())
        .isEqualTo(
            Document.parse(
                """
                {"card": "[CARD_1]", "count": 4111111111111112, "amount": 41.11,
                 "by": {"[EMAIL_1]": ["[EMAIL_1]", true, null]},
                 "photo": {"uri": "https://example.com/a@b.com.png", "alt": "of [EMAIL_1]"}}
                """));
    assertThat(redacted.restore(redacted.document())).isEqualTo(document);
  }

  @Test
  void anAnswerWithTokensIsMappedBack() throws Exception {
    RedactedDocument redacted =
        ALL.of(Document.parse("{\"text\":\"[EMAIL_1] is a@b.com, not [EMAIL_3], c@d.com\"}"));
    assertThat(redacted.document().get("text").textValue())
        .isEqualTo("[EMAIL_1] is [EMAIL_2], not [EMAIL_3], [EMAIL_4]");
    assertThat(
            redacted.restore(
                Document.parse(
                    "{\"x\":[\"[EMAIL_4]\",\"to [EMAIL_2]$1 [EMAIL_1] [email_2] [EMAIL_9]\"]}")))
        .isEqualTo(
            Document.parse("{\"x\":[\"c@d.com\",\"to a@b.com$1 [EMAIL_1] [email_2] [EMAIL_9]\"]}"));
  }

  @Test
  void longTextsTakeLinearTime() throws Exception {
    for (String part :
        List.of("a", "1", "1 ", "4 ", "a.", "a@", "a@b.de ", "DE89", "+49 ", "[EMAIL_1")) {
      long quarter = nanos(part, 50_000);
      assertThat(nanos(part, 200_000)).as(part).isLessThan(8 * quarter + 1_000_000_000L);
    }
  }

  private static long nanos(String part, int length) throws Exception {
    String text = part.repeat(length / part.length());
    long begun = System.nanoTime();
    var _ = hidden(text);
    return System.nanoTime() - begun;
  }

  @Test
  void behindAJoinTheKindsAndRegionsOfAllSourcesCount() {
    Redaction one = new Redaction(List.of(PersonalData.PHONE), List.of("DE"), true);
    Redaction other =
        new Redaction(List.of(PersonalData.PHONE, PersonalData.EMAIL), List.of("AT"), false);
    assertThat(Redaction.ofAll(List.of())).isNull();
    assertThat(Redaction.ofAll(List.of(one, other)))
        .isEqualTo(
            new Redaction(
                List.of(PersonalData.EMAIL, PersonalData.PHONE), List.of("DE", "AT"), false));
  }

  @Test
  void labelsHaveTheTokensOfTheirDocument() throws Exception {
    Program program =
        new ProgramParser(ModelCatalogue.builtIn()).parse(PROGRAM.formatted("[email]"));
    ValidationExample example =
        new ValidationExample(
            "e",
            "mails",
            Document.parse("{\"text\":\"From a@b.com for c@d.com\"}"),
            Map.of("contact", Document.parse("{\"address\":\"c@d.com\"}").toJson()));
    ValidationExample redacted = example.redacted(program);
    assertThat(redacted.document().get("text").textValue())
        .isEqualTo("From [EMAIL_1] for [EMAIL_2]");
    assertThat(redacted.labels())
        .containsEntry("contact", Document.parse("{\"address\":\"[EMAIL_2]\"}").toJson());
  }

  @ParameterizedTest
  @ValueSource(strings = {"[card, email]", "{kinds: [phone], regions: [DE, AT], restore: true}"})
  void aProgramIsReadAsItIsWritten(String redact) throws Exception {
    ProgramParser parser = new ProgramParser(ModelCatalogue.builtIn());
    Program program = parser.parse(PROGRAM.formatted(redact));
    assertThat(program.redaction()).isNotNull();
    assertThat(parser.parse(ProgramWriter.write(program).toString())).isEqualTo(program);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "[emial]| unknown kind of personal data 'emial'; did you mean 'email'? there are email, iban, card, phone",
        "[]| 'redact' names no kind of personal data",
        "{kinds: [email], regions: [DE]}| 'regions' are about telephone numbers; add phone",
        "{kinds: [phone], regions: [XY]}| unknown region of telephone numbers (two letters of ISO 3166) 'XY'",
        "{kinds: [phone], regions: [Germany]}| 'Germany'; there are AC, AD",
        "{kinds: [phone], regions: [Germany]}| others",
        "{kinds: [phone], restore: maybe}| expected true or false",
        "{kind: [phone]}| kinds",
      })
  void mistakesAreNamed(String redact, String message) {
    assertThatThrownBy(
            () -> new ProgramParser(ModelCatalogue.builtIn()).parse(PROGRAM.formatted(redact)))
        .isInstanceOf(InvalidTextException.class)
        .hasMessageContaining(message);
  }
}
