package dev.abacus.deploy.simulator.wire;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.deploy.simulator.truth.SoundMark;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * A sound of a message, {@code {"type": "input_audio", "input_audio": {"data": …, "format": …}}}.
 *
 * @param mark stands for the sound in texts: equal for equal bytes
 * @param tokens as OpenAI counts: 10 for a second
 */
public record SoundPart(String mark, int tokens) {

  private static final int TOKENS_PER_SECOND = 10;

  /** Where a WAV file states its bytes per second. */
  private static final int WAV_RATE = 28;

  /** Bytes per second of MP3 at 128 kbit/s. */
  private static final int USUAL_RATE = 16_000;

  /**
   * The sound of a part; null if it has none.
   *
   * @throws ApiException if the sound is invalid under OpenAI's API
   */
  static @Nullable SoundPart of(JsonNode part) {
    JsonNode audio = part.path("input_audio");
    if (audio.isMissingNode()) {
      return null;
    }
    String format = audio.path("format").asText();
    if (!format.equals("wav") && !format.equals("mp3")) {
      throw ApiException.invalid(
          "Invalid value: '%s'. Supported values are: 'wav' and 'mp3'.".formatted(format),
          "messages.content.input_audio.format",
          "invalid_value");
    }
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(audio.path("data").asText());
    } catch (IllegalArgumentException e) {
      bytes = new byte[0];
    }
    if (bytes.length == 0) {
      throw ApiException.invalid(
          "The data provided for 'input_audio' is not of valid " + format + " format.",
          "messages.content.input_audio.data",
          "invalid_value");
    }
    int rate =
        format.equals("wav") && bytes.length >= WAV_RATE + Integer.BYTES
            ? ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(WAV_RATE)
            : USUAL_RATE;
    long tokens = (long) bytes.length * TOKENS_PER_SECOND / Math.max(1, rate);
    return new SoundPart(SoundMark.of(audio.path("data").asText()), (int) Math.max(1, tokens));
  }
}
