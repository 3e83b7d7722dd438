package io.spillway.policies.source;

import io.spillway.policies.finding.Finding;
import io.spillway.policies.finding.FindingCode;
import io.spillway.policies.finding.Place;
import io.spillway.policies.source.Tree.Mapping;
import io.spillway.policies.source.Tree.Member;
import io.spillway.policies.source.Tree.Scalar;
import io.spillway.policies.source.Tree.ScalarType;
import io.spillway.policies.source.Tree.Sequence;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.CollectionStartEvent;
import org.yaml.snakeyaml.events.DocumentStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.MappingEndEvent;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.events.SequenceEndEvent;
import org.yaml.snakeyaml.events.SequenceStartEvent;
import org.yaml.snakeyaml.reader.ReaderException;

/**
 * Reads YAML from the parser's events, below everything that makes YAML dangerous: no object is
 * constructed, tags, anchors and aliases are refused where they stand, and every event has a mark.
 */
final class YamlSource {
  private final SourceFile file;
  private final TreeBuilder builder;
  private final Consumer<Finding> findings;

  YamlSource(SourceFile file, Consumer<Finding> findings) {
    this.file = file;
    this.findings = findings;
    this.builder = new TreeBuilder(findings);
  }

  /** The documents of the file, empty ones left out; none when the file is refused. */
  List<Tree> documents() {
    LoaderOptions options = new LoaderOptions();
    options.setCodePointLimit(Limits.MAX_FILE_CHARS);
    List<Tree> documents = new ArrayList<>();
    try {
      Iterator<Event> events = new Yaml(options).parse(new StringReader(file.content())).iterator();
      while (events.hasNext()) {
        if (events.next() instanceof DocumentStartEvent) {
          Tree document = node(events.next(), events, "", 0);
          if (!(document instanceof Scalar scalar && scalar.type() == ScalarType.NULL)) {
            documents.add(document);
          }
        }
      }
      return documents;
    } catch (SourceRefused refused) {
      findings.accept(refused.finding());
    } catch (MarkedYAMLException e) {
      Mark mark = e.getProblemMark() == null ? e.getContextMark() : e.getProblemMark();
      syntax(mark == null ? new Place(file.name(), 1, 1) : place(mark), e.getProblem());
    } catch (ReaderException e) {
      syntax(placeOf(e.getPosition()), "a character that YAML does not allow");
    } catch (YAMLException e) {
      syntax(new Place(file.name(), 1, 1), e.getMessage());
    }
    return List.of();
  }

  private Tree node(Event event, Iterator<Event> events, String path, int depth)
      throws SourceRefused {
    Place place = place(event.getStartMark());
    builder.requireDepth(depth, place, path);
    requirePlain(event, place, path);
    return switch (event) {
      case ScalarEvent scalar ->
          new Scalar(
              place,
              path,
              scalar.getScalarStyle() == ScalarStyle.PLAIN
                  ? ScalarText.typeOf(scalar.getValue())
                  : ScalarType.TEXT,
              scalar.getValue());
      case SequenceStartEvent ignored -> sequence(place, events, path, depth);
      case MappingStartEvent ignored -> mapping(place, events, path, depth);
      default -> throw new IllegalStateException("no node starts with " + event);
    };
  }

  private Sequence sequence(Place place, Iterator<Event> events, String path, int depth)
      throws SourceRefused {
    List<Tree> items = new ArrayList<>();
    for (Event event = events.next(); !(event instanceof SequenceEndEvent); event = events.next()) {
      items.add(node(event, events, TreeBuilder.below(path, items.size()), depth + 1));
    }
    return new Sequence(place, path, items);
  }

  private Mapping mapping(Place place, Iterator<Event> events, String path, int depth)
      throws SourceRefused {
    Map<String, Member> members = builder.members();
    for (Event event = events.next(); !(event instanceof MappingEndEvent); event = events.next()) {
      Place keyPlace = place(event.getStartMark());
      requirePlain(event, keyPlace, path);
      if (!(event instanceof ScalarEvent key)) {
        throw new SourceRefused(
            keyPlace, path, FindingCode.SYNTAX, "a key is plain text, not a list or a mapping");
      }
      String below = TreeBuilder.below(path, key.getValue());
      Tree value = node(events.next(), events, below, depth + 1);
      builder.put(members, path, key.getValue(), new Member(keyPlace, value));
    }
    return new Mapping(place, path, members);
  }

  private void requirePlain(Event event, Place place, String path) throws SourceRefused {
    if (event instanceof AliasEvent
        || (event instanceof NodeEvent node && node.getAnchor() != null)) {
      throw new SourceRefused(
          place,
          path,
          FindingCode.ALIAS,
          "anchors and aliases are not supported: write the value where it is used");
    }
    boolean tagged =
        switch (event) {
          case CollectionStartEvent start -> start.getTag() != null;
          case ScalarEvent scalar -> scalar.getTag() != null;
          default -> false;
        };
    if (tagged) {
      throw new SourceRefused(place, path, FindingCode.TAG, "tags (!) are not supported");
    }
  }

  private void syntax(Place place, String problem) {
    findings.accept(Finding.at(place, "", FindingCode.SYNTAX, "not YAML: " + problem));
  }

  private Place place(Mark mark) {
    return new Place(file.name(), mark.getLine() + 1, mark.getColumn() + 1);
  }

  private Place placeOf(int position) {
    int end = Math.clamp(position, 0, file.content().length());
    String before = file.content().substring(0, end);
    int line = (int) before.chars().filter(c -> c == '\n').count() + 1;
    return new Place(file.name(), line, end - before.lastIndexOf('\n'));
  }
}
