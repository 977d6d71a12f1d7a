package dev.abacus.schemas.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordPositionTest {

  @ParameterizedTest
  @ValueSource(strings = {"mails-0@0", "a-b-12@345", "a@b-1@2", "a-1@2-3@4"})
  void aPositionIsReadAsItWasWritten(String text) {
    assertThat(RecordPosition.parse(text)).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "mails", "mails-0", "-0@0", "mails-x@0", "mails-0@", "mails-0@1x"})
  void otherTextsAreNone(String text) {
    assertThat(RecordPosition.parse(text)).isNull();
  }
}
