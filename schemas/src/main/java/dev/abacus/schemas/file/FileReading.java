package dev.abacus.schemas.file;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.schemas.document.JsonParts;
import dev.abacus.schemas.document.Media;
import dev.abacus.schemas.input.Keyword;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How operators read the files in the documents of a source. Texts and PDFs with text are read
 * here, before personal data is hidden; images, and pages as images, stay files until a model is
 * called.
 *
 * @param fields fields that hold a file as Base64 or as an address alone, as Avro's and Protobuf's
 *     {@code bytes} do; files that state their media type need no mention
 * @param pdf how PDFs are read
 */
public record FileReading(List<String> fields, PdfAs pdf) {

  /** The field of a document that is a file. */
  public static final String CONTENT = "content";

  /** PDFs as text, and no further fields. */
  public static final FileReading DEFAULT = new FileReading(List.of(), PdfAs.TEXT);

  private static final String HTML = "text/html";

  private static final Pattern ADDRESS = Pattern.compile("(https?|data):.*", Pattern.DOTALL);

  /** How PDFs are read. */
  public enum PdfAs implements Keyword {
    /** As their text. */
    TEXT,
    /** As images of their pages. */
    PAGES,
    /** As their text if they have any, else as images of their pages. */
    TEXT_OR_PAGES
  }

  public FileReading {
    fields = List.copyOf(fields);
  }

  /**
   * The document of a record whose value is a file: the field {@link #CONTENT} is the file.
   *
   * @param key name of the field with the record key
   * @param recordKey null if the record has none
   */
  public static Document document(String key, @Nullable String recordKey, byte[] file) {
    Document id =
        recordKey == null
            ? Document.empty()
            : Document.empty().with(key, TextNode.valueOf(recordKey));
    return id.with(CONTENT, file(file).toJson());
  }

  /**
   * The document with texts in place of the files that are read as text.
   *
   * @throws InvalidDocumentException if a file cannot be read
   */
  public Document read(Document document) throws InvalidDocumentException {
    if (fields.isEmpty() && !document.mayHaveMedia()) {
      return document;
    }
    Document read = document;
    for (String field : document.fieldNames()) {
      JsonNode value = document.get(field);
      JsonNode file = fields.contains(field) ? declared(field, value) : value;
      JsonNode shown = shown("the field '" + field + "'", file);
      read = shown.equals(value) ? read : read.with(field, shown);
    }
    return read;
  }

  /** A file, or each file of a list, that is Base64 or an address alone. */
  private static JsonNode declared(String field, JsonNode value) throws InvalidDocumentException {
    if (value.isArray()) {
      return JsonParts.changed(value, item -> declared(field, item));
    }
    if (!value.isTextual()) {
      return value;
    }
    String text = value.textValue();
    if (ADDRESS.matcher(text).matches()) {
      return JsonNodeFactory.instance.objectNode().put("uri", text);
    }
    if (!Media.isBase64(text)) {
      throw new InvalidDocumentException(
          "the field '%s' is neither Base64 nor an address".formatted(field));
    }
    return file(Base64.getDecoder().decode(text)).toJson();
  }

  private JsonNode shown(String where, JsonNode value) throws InvalidDocumentException {
    Media media = Media.of(value);
    if (media instanceof Media.Content content) {
      return shown(where, content);
    }
    if (media instanceof Media.Reference(String uri, Media.Kind kind)) {
      return reference(where, value, uri, kind);
    }
    return JsonParts.changed(value, part -> shown(where, part));
  }

  /** Only a model call fetches: this runs in every process that reads documents. */
  private JsonNode reference(String where, JsonNode value, String uri, Media.Kind kind)
      throws InvalidDocumentException {
    boolean asText = kind == Media.Kind.TEXT || (kind == Media.Kind.PDF && pdf != PdfAs.PAGES);
    if (!asText) {
      return value;
    }
    if (uri.startsWith("data:") && uri.contains(";base64,")) {
      String base64 = uri.substring(uri.indexOf(',') + 1);
      if (Media.isBase64(base64)) {
        return shown(where, file(Base64.getDecoder().decode(base64)));
      }
    }
    throw new InvalidDocumentException(
        "%s has the address of a %s; send its bytes%s"
            .formatted(where, kind.noun(), kind == Media.Kind.PDF ? ", or set 'pdf: pages'" : ""));
  }

  private JsonNode shown(String where, Media.Content file) throws InvalidDocumentException {
    Media.Kind kind = file.kind();
    if (kind == null) {
      return file.toJson(); // An operator that reads it says so.
    }
    return switch (kind) {
      case IMAGE, AUDIO -> file.toJson();
      case PDF -> pdf(where, file);
      case TEXT -> TextNode.valueOf(text(where, file));
    };
  }

  private JsonNode pdf(String where, Media.Content file) throws InvalidDocumentException {
    if (pdf == PdfAs.PAGES) {
      return file.toJson();
    }
    String text;
    try {
      text = Pdf.text(file.bytes());
    } catch (InvalidDocumentException e) {
      throw new InvalidDocumentException(where + ": " + e.getMessage(), e);
    }
    if (!text.isBlank()) {
      return TextNode.valueOf(text);
    }
    if (pdf == PdfAs.TEXT_OR_PAGES) {
      return file.toJson();
    }
    throw new InvalidDocumentException(
        where + ": the PDF has no text (a scan?); 'pdf: text-or-pages' shows its pages to models");
  }

  /** A file whose media type its bytes tell. */
  private static Media.Content file(byte[] bytes) {
    String type = Media.typeOf(bytes);
    String otherwise = Html.is(bytes) ? HTML : "text/plain";
    return Media.Content.of(type == null ? otherwise : type, bytes);
  }

  private static String text(String where, Media.Content file) throws InvalidDocumentException {
    if (file.mediaType().startsWith(HTML)) {
      try {
        return Html.text(file.bytes());
      } catch (InvalidDocumentException e) {
        throw new InvalidDocumentException(where + ": " + e.getMessage(), e);
      }
    }
    String text = utf8(file.bytes());
    if (text == null) {
      throw new InvalidDocumentException(
          where
              + " is no PDF, no HTML, no image (PNG, JPEG, GIF, WebP), no sound (WAV, MP3), and no text in"
              + " UTF-8");
    }
    return text;
  }

  /** The text of bytes; null if they are not UTF-8. */
  public static @Nullable String utf8(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }
}
