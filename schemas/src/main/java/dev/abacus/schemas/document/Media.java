package dev.abacus.schemas.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A file as the value of a field: by address, {@code {"uri": "https://…"}} with an optional {@code
 * mediaType}, or by content, {@code {"mediaType": "image/png", "bytes": "<base64>"}}.
 */
public sealed interface Media {

  /** What a file is; null if it is nothing that models or {@code schemas.file} read. */
  @Nullable Kind kind();

  /** {@code image}, {@code PDF}, …, or {@code file}. */
  default String noun() {
    Kind kind = kind();
    return kind == null ? "file" : kind.noun();
  }

  /** Kinds of files. */
  enum Kind {
    /** Shown to models that see. */
    IMAGE("image/", "image"),
    /** Its pages are images; or it is read as text. */
    PDF("application/pdf", "PDF"),
    /** Played to models that hear. */
    AUDIO("audio/", "sound"),
    /** HTML or plain text: read as text. */
    TEXT("text/", "text");

    private final String mediaTypes;
    private final String noun;

    Kind(String mediaTypes, String noun) {
      this.mediaTypes = mediaTypes;
      this.noun = noun;
    }

    /** The kind of a media type, or null. */
    public static @Nullable Kind of(String mediaType) {
      for (Kind kind : values()) {
        if (mediaType.toLowerCase(Locale.ROOT).startsWith(kind.mediaTypes)) {
          return kind;
        }
      }
      return null;
    }

    /** {@code image}, {@code PDF}, … */
    public String noun() {
      return noun;
    }
  }

  /**
   * A file that the model endpoint or the data plane fetches.
   *
   * @param kind as the value or the end of the address states it; otherwise an image
   */
  record Reference(String uri, Kind kind) implements Media {

    private static final Pattern AUDIO =
        Pattern.compile("(?i)data:audio/.*|[^?#]*\\.(wav|mp3)([?#].*)?");

    private static final Pattern PDF =
        Pattern.compile("(?i)data:application/pdf.*|[^?#]*\\.pdf([?#].*)?");

    public Reference {
      Objects.requireNonNull(uri, "uri");
    }

    /** An address that states no media type. */
    public static Reference of(String uri) {
      Kind otherwise = AUDIO.matcher(uri).matches() ? Kind.AUDIO : Kind.IMAGE;
      return new Reference(uri, PDF.matcher(uri).matches() ? Kind.PDF : otherwise);
    }
  }

  /**
   * A file inside the document.
   *
   * @param mediaType as the document states it; the first bytes count
   */
  record Content(String mediaType, String base64) implements Media {

    /** Characters of Base64 with the bytes of {@link #start}. */
    private static final int START = 64;

    public Content {
      Objects.requireNonNull(mediaType, "mediaType");
      Objects.requireNonNull(base64, "base64");
    }

    /** A file of these bytes. */
    public static Content of(String mediaType, byte[] bytes) {
      return new Content(mediaType, Base64.getEncoder().encodeToString(bytes));
    }

    @Override
    public @Nullable Kind kind() {
      String type = detectedType();
      return Kind.of(type == null ? mediaType : type);
    }

    /** The media type by the first bytes, or null. */
    public @Nullable String detectedType() {
      return typeOf(start());
    }

    /** The first 48 bytes, or fewer; none if the text is no Base64. */
    public byte[] start() {
      try {
        return Base64.getDecoder().decode(base64.substring(0, Math.min(START, base64.length())));
      } catch (IllegalArgumentException e) {
        return new byte[0];
      }
    }

    /** The file. */
    public byte[] bytes() {
      return Base64.getDecoder().decode(base64);
    }

    /** The size of the file, without decoding it. */
    public long size() {
      int length = base64.length();
      while (length > 0 && base64.charAt(length - 1) == '=') {
        length--;
      }
      return length * 3L / 4;
    }

    /** The value of a field. */
    public ObjectNode toJson() {
      return JsonNodeFactory.instance.objectNode().put("mediaType", mediaType).put("bytes", base64);
    }
  }

  /** The file that a value describes, or null. */
  static @Nullable Media of(JsonNode value) {
    JsonNode mediaType = value.path("mediaType");
    if (value.path("uri").isTextual()) {
      Reference reference = Reference.of(value.get("uri").textValue());
      Kind stated = mediaType.isTextual() ? Kind.of(mediaType.textValue()) : null;
      return stated == null ? reference : new Reference(reference.uri, stated);
    }
    if (value.path("bytes").isTextual() && mediaType.isTextual()) {
      String base64 = value.get("bytes").textValue();
      return isBase64(base64) ? new Content(mediaType.textValue(), base64) : null;
    }
    return null;
  }

  /** Whether a text is Base64 of at least one byte. */
  static boolean isBase64(String text) {
    try {
      return Base64.getDecoder().decode(text).length > 0;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** The media type of a file by its first 12 bytes; null if they do not tell. */
  static @Nullable String typeOf(byte[] file) {
    String start = new String(file, 0, Math.min(12, file.length), StandardCharsets.ISO_8859_1);
    if (start.startsWith("\u0089PNG\r\n\u001a\n")) {
      return "image/png";
    }
    if (start.startsWith("\u00ff\u00d8\u00ff")) {
      return "image/jpeg";
    }
    if (start.startsWith("GIF87a") || start.startsWith("GIF89a")) {
      return "image/gif";
    }
    if (start.startsWith("RIFF") && start.startsWith("WEBP", 8)) {
      return "image/webp";
    }
    if (start.startsWith("RIFF") && start.startsWith("WAVE", 8)) {
      return "audio/wav";
    }
    if (start.startsWith("ID3") || isFrameOfMp3(start)) {
      return "audio/mp3";
    }
    return start.startsWith("%PDF-") ? "application/pdf" : null;
  }

  /** A frame of MPEG audio, layer III, without a tag before it. */
  private static boolean isFrameOfMp3(String start) {
    return start.length() > 1
        && start.charAt(0) == 0xff
        && (start.charAt(1) & 0xe0) == 0xe0
        && (start.charAt(1) & 0x06) == 0x02;
  }
}
