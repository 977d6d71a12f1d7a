package dev.abacus.schemas.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Objects;
import org.junit.jupiter.api.Test;

class SecretTest {

  @Test
  void aKeyIsTrimmedAndNeverPrinted() {
    Secret key = Objects.requireNonNull(Secret.apiKey("setting x", " sk-planted\r\n"));

    assertThat(key).hasToString("[hidden]");
    assertThat(key.value()).isEqualTo("sk-planted");
    assertThat(Secret.apiKey("setting x", " \n")).isNull();
  }

  @Test
  void aKeyThatNoHeaderCanCarryIsRefusedWithoutBeingPrinted() {
    assertThatThrownBy(() -> Secret.apiKey("setting x", "sk-one\nsk-two"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("setting x")
        .hasMessageContaining("a line feed")
        .hasMessageNotContaining("sk-");
  }
}
