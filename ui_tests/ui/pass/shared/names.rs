// Words that derives emit, and other common ones: `BLESS=1 cargo test -p ecs_ui_tests` writes them.
names! {
    [
        __0 __1 __10 __11 __12 __2 __3 __4 __5 __6 __7 __8 __9 __ARE_FIELDS __ARE_FIELDS_0 __ARE_FIELDS_1 __Column
        __ECS_ARE_FIELDS __ECS_IS_FREE __ECS_IS_PARAM __ECS_IS_SHARED __ECS_MAPS __FIELDS __Field0 __Field1 __ID
        __IS_FIELD_4 __IS_PARAM_0 __IS_PARAM_1 __IS_SHARED __LEN __M __PARTS __Place __R __Requires __SLOT __Steps
        __bundle __ecs_into __ecs_map __ecs_own_drop __ecs_same __ecs_take __ecs_visit __f __from __given __handles
        __items __key __list __map __of __old __other __private __read __schedule __target __this __value __variant_0
        __variant_1 __veto __visit
    ]
    [
        ACYCLIC AT_END AnyComponent AsMut AsRef AtEnd BIT Box BufferMut BufferRef BufferSlices BufferSlicesMut Bundle
        ByDefault CLONE COPYING Clone CloneField Column ColumnAt Columns Component ComponentId ComponentSlot Contents
        Copy Copying DEBUGGING DEFAULT DESPAWN Debug DebugStruct Debugging DeclaredRule Default Deref DerefMut Derived
        Drop DropProbe Entity EntityFetch Eq Err Error ExactSizeIterator Extend FIELDS Fetch FetchIf Field FieldOfTwo
        FieldProbe Filter Fn FnMut FnOnce Formatter From GUARDED Given GivenIf HANDLE_FIELDS HOOKS HandleField
        HandleProbe Handles Has Hash Hashed Here Hooks ID INDEX InBundles InColumns InQueries Index IndexRule Indexed
        Internal Into IntoIter IntoIterator Item ItemIf Iterator Key LABEL LINES Left Line Listed Lists ListsParam
        MappedField MayShare NAME NAMES NEW NONE Needed NoBundle NoField NoParam None NoneIn NotShared OfStruct Ok
        OldSave One Option Optional Ord Ordered Output PARTS PLACEHOLDER PLAN Param ParamIf ParamParts ParamProbe Part
        PartialEq PartialOrd Parts Path PhantomData Position ProbeOfWholes Projection ProximityMut ProximityRef
        ProximitySlices ProximitySlicesMut Query RELATION REMOVE REQUIRES RULED RULES Read Ref RefMut RefMutTree
        RefTree Registry Relation Required RequiredWithin Requirer Requires Resource ResourceSaving ResourceSlot
        ResourceVersion Result Right Rule SAVED_BEFORE SAVING SHAPE Same Saving Schedule SchedulePlan SeenRequirements
        SeenRule Send Set Share ShareProbe Signature Sized SliceMutTree SliceTree Slices SlicesMut Some Storage String
        StructQuery Supplies Supply SupplySet Sync System T TRACKED TREE Target Term Terms This Threads ToOwned
        ToString Together Tracks TryFrom TryInto UnknownField Unmapped UnmappedField Unpin Unseen UnseenRule Values
        Vec VecStorage View ViewSet Viewed Views VisitedField With WithEntity Without World Write a alloc always
        as_ref assert automatically_derived b bool buffer build by_bytes by_clone by_debug by_default by_serde call
        char check check_bundle_field check_column check_condition check_excluded check_field check_member
        check_reference check_requirements check_shared check_shared_column check_shared_resource check_system
        check_value check_views clone clone_field clone_of column compile_error component concat condition convert
        core count_steps debug_struct default default_of deref deref_mut doc drop ecs entity env exchange f field
        finish fmt format hidden i32 in_binary index inexact inline into into_parts is_any_ruled item items kept line
        lines main map_entities mapped marker mem member module_path must_use name new of_bundle of_lines of_relation
        ops option option_env panic permits_removal plan points_to primitive probed put_together query read reborrow
        replace require same saving saving_bytes self_ set set_entity set_target shown shown_mut shown_mut_slices
        shown_slices slot soa std str stringify swap system take_apart target test to_owned track_caller u32 u8 value
        vec view visit_entities with_key without_drop world write r#as r#async r#await r#break r#const r#continue
        r#dyn r#else r#enum r#extern r#false r#fn r#for r#gen r#if r#impl r#in r#let r#loop r#match r#mod r#move r#mut
        r#pub r#ref r#return r#static r#struct r#trait r#true r#type r#unsafe r#use r#where r#while r#abstract
        r#become r#box r#do r#final r#macro r#override r#priv r#try r#typeof r#unsized r#virtual r#yield
    ]
}
